import type { Clock } from '../base/index.ts';
import { type StoredObject, timestamp } from './objects.ts';
import type { ResourceApi } from './resourceApi.ts';
import { definitions } from './resources.ts';
import { ApiError } from './status.ts';

/** Kubernetes forgets events after an hour. */
const lifeMs = 3_600_000;

/** What each object has been told lately, so that a repetition raises a count instead of making another event. */
interface Told {
  readonly name: string;
  readonly namespace: string;
  readonly at: number;
}

/** Records core v1 Events about objects, as a component of the cluster. */
export class EventRecorder {
  readonly #api: ResourceApi;
  readonly #clock: Clock;
  readonly #component: string;
  readonly #told = new Map<string, Told>();
  #serial = 0;

  constructor(api: ResourceApi, clock: Clock, component: string) {
    this.#api = api;
    this.#clock = clock;
    this.#component = component;
  }

  /** A repetition of what was said within the hour raises the count of the event that is there. */
  record(about: StoredObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const now = this.#clock.now();
    const { namespace = 'default', name, uid, resourceVersion } = about.metadata;
    const key = `${uid} ${type} ${reason} ${message}`;
    const told = this.#told.get(key);
    try {
      if (told !== undefined && this.#repeat(told, now)) return;
      this.#serial += 1;
      const eventName = `${name}.${this.#serial.toString(16)}${now.toString(16)}`;
      this.#api.create(definitions.events, namespace, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: eventName },
        involvedObject: { apiVersion: about.apiVersion, kind: about.kind, namespace, name, uid, resourceVersion },
        reason,
        message,
        source: { component: this.#component },
        firstTimestamp: timestamp(now),
        lastTimestamp: timestamp(now),
        eventTime: null,
        count: 1,
        type,
        reportingComponent: this.#component,
        reportingInstance: '',
      });
      this.#told.delete(key);
      this.#told.set(key, { name: eventName, namespace, at: now });
      this.#forget(now);
    } catch (error) {
      // An event about an object of a vanishing namespace has nowhere to stand; that is all there is to it.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #repeat(told: Told, now: number): boolean {
    const event = this.#api.store.get(definitions.events, told.namespace, told.name);
    if (event === undefined) return false;
    const count = typeof event['count'] === 'number' ? event['count'] + 1 : 1;
    this.#api.update(definitions.events, told.namespace, told.name, { ...event, count, lastTimestamp: timestamp(now) });
    return true;
  }

  /** The oldest come first, so the search ends at the first that is young enough. */
  #forget(now: number): void {
    for (const [key, { namespace, name, at }] of this.#told) {
      if (now - at < lifeMs) return;
      this.#told.delete(key);
      const event = this.#api.store.get(definitions.events, namespace, name);
      if (event !== undefined) this.#api.delete(definitions.events, namespace, name);
    }
  }
}
