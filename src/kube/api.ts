import { type Clock, isJsonObject, type JsonObject } from '../base/index.ts';
import { type HttpResponse, readText } from './answer.ts';
import { badAnswer, classifyWatchError, type RequestFacts } from './classify.ts';
import type { Credentials } from './credentials.ts';
import { KubeError } from './errors.ts';
import { Heartbeat } from './heartbeat.ts';
import { ItemSplitter } from './itemSplitter.ts';
import { type Limiter, tokenBucket } from './limiter.ts';
import { LineSplitter } from './lines.ts';
import { collectionPath, objectPath, queryString, scopeParameters, writeParameters } from './paths.ts';
import { type HttpRequest, type ServerAddress, Transport } from './transport.ts';
import {
  type Job,
  type KubeApi,
  type KubeList,
  type KubeObject,
  leases,
  type ResourceType,
  type WatchEvent,
  type WatchRequest,
  type WriteOptions,
} from './types.ts';
import { asList, asObject, parseJsonObject } from './wire.ts';

/** One cluster as one user: where it is, and where the login comes from. */
export interface ClusterTarget extends ServerAddress {
  readonly credentials: Credentials;
}

export interface KubeApiDeps {
  readonly clock: Clock;
  /** Defaults to 20 requests a second with bursts of 40, for this one cluster. Disposed with the client. */
  readonly limiter?: Limiter;
  readonly userAgent?: string;
  /** From sending to the whole answer. Default 30 s; a list page has twice that. */
  readonly requestTimeoutMs?: number;
  /**
   * While a watch is open and nothing is heard of the server for so long, it is asked whether it is there; after half of
   * it again without an answer the watch fails. Default 20 s.
   */
  readonly silenceMs?: number;
}

/** What `createKubeApi` returns: a `KubeApi` with what only its owner needs. */
export interface KubeClient extends KubeApi {
  /** A person asked for another try after a failed login; the next request makes it. */
  resetCredentials(): void;
  /** Versions of an API group that the cluster serves, the preferred one first; none if the group isn't installed. */
  servedVersions(group: string, signal: AbortSignal): Promise<readonly string[]>;
  /** The OpenAPI document (v3) of an API version, such as `batch/v1` or `v1`; undefined where the cluster has none. */
  openApi(apiVersion: string, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** How far the server's clock is ahead of this machine's, in milliseconds, from the last answer's `Date` header. */
  readonly clockOffsetMs: number | undefined;
}

/** A watch that the server should have ended by now is given this long before this side ends it. */
const watchGraceMs = 30_000;
/** Largest answer that is taken in: a page of 500 very large Jobs is about a tenth of it. */
const bodyLimit = 256 << 20;
const logLimitBytes = 10 << 20;
/** The largest OpenAPI document that is taken in: Kubernetes' own core has a tenth of it. */
const openApiLimit = 16 << 20;
/** What an object is called and by whom, without the rest of it. */
const metadataAlone = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';

/** Opens nothing yet: the first request does. Dispose the result to close its connections. */
export function createKubeApi(target: ClusterTarget, deps: KubeApiDeps): KubeClient {
  const transport = new Transport(target, target.credentials, {
    clock: deps.clock,
    limiter: deps.limiter ?? tokenBucket(deps.clock),
    userAgent: deps.userAgent ?? 'delegated-jobs',
  });
  const timeoutMs = deps.requestTimeoutMs ?? 30_000;
  let clockOffsetMs: number | undefined;

  const heartbeat = new Heartbeat(deps.clock, deps.silenceMs ?? 20_000, async (signal) => {
    await transport.exchange(
      complete({ method: 'GET', path: '/version', priority: 'urgent' }),
      (response) => readText(response.body, bodyLimit),
      signal,
    );
  });

  type Plan = Pick<HttpRequest, 'method' | 'path'> & Partial<HttpRequest>;

  function complete(plan: Plan): HttpRequest {
    return { deadlineMs: timeoutMs, priority: 'normal', isIdempotent: plan.method === 'GET', ...plan };
  }

  function noteAnswer(response: HttpResponse): void {
    heartbeat.heard();
    if (response.serverTime !== undefined) clockOffsetMs = response.serverTime - deps.clock.now();
  }

  async function request<T>(
    plan: Plan,
    signal: AbortSignal,
    convert: (value: JsonObject, facts: RequestFacts, response: HttpResponse) => T,
  ): Promise<T> {
    const facts = transport.factsOf(plan);
    const read = async (response: HttpResponse): Promise<T> => {
      noteAnswer(response);
      const text = await readText(response.body, bodyLimit);
      return convert(parseJsonObject(facts, text), facts, response);
    };
    return await transport.exchange(complete(plan), read, signal);
  }

  function write<T extends KubeObject | Job>(
    plan: Plan,
    { dryRun }: WriteOptions,
    signal: AbortSignal,
  ): Promise<{ readonly object: T; readonly warnings: readonly string[] }> {
    return request(plan, signal, (value, facts, response) => ({
      object: asObject<T>(facts, dryRun === true ? rehearsed(value) : value),
      warnings: response.warnings,
    }));
  }

  return {
    contextName: target.contextName,
    get clockOffsetMs() {
      return clockOffsetMs;
    },
    get<T extends KubeObject | Job>(
      type: ResourceType,
      key: { namespace?: string; name: string },
      signal: AbortSignal,
    ) {
      const plan: Plan = { method: 'GET', path: objectPath(type, key), priority: priorityOf(type) };
      return request(plan, signal, (value, facts) => asObject<T>(facts, value));
    },
    async has(type, key, signal) {
      try {
        await request({ method: 'GET', path: objectPath(type, key), accept: metadataAlone }, signal, () => undefined);
        return true;
      } catch (error) {
        if (error instanceof KubeError && (error.kind === 'not-found' || error.kind === 'namespace-missing'))
          return false;
        throw error;
      }
    },
    list<T extends KubeObject | Job>(type: ResourceType, scope: Parameters<KubeApi['list']>[1], signal: AbortSignal) {
      const query = queryString({
        ...scopeParameters(scope),
        limit: scope.limit ?? 500,
        continue: scope.continueToken,
      });
      const path = collectionPath(type, scope.namespace) + query;
      const plan = complete({ method: 'GET', path, deadlineMs: timeoutMs * 2 });
      const read = (response: HttpResponse): Promise<KubeList<T>> => {
        noteAnswer(response);
        return readList<T>(transport.factsOf(plan), response);
      };
      return transport.exchange(plan, read, signal);
    },
    create(type, namespace, body, options, signal) {
      const path = collectionPath(type, namespace) + queryString(writeParameters(options));
      return write({ method: 'POST', path, body, priority: priorityOf(type) }, options, signal);
    },
    replace(type, key, body, options, signal) {
      const path = objectPath(type, key, options.subresource) + queryString(writeParameters(options));
      return write({ method: 'PUT', path, body, priority: priorityOf(type) }, options, signal);
    },
    patch(type, key, patch, options, signal) {
      const path = objectPath(type, key, patch.subresource) + queryString(writeParameters(options));
      const { body, type: contentType } = patch;
      return write({ method: 'PATCH', path, body, contentType, priority: priorityOf(type) }, options, signal);
    },
    async delete(type, key, { uid, resourceVersion, propagationPolicy, gracePeriodSeconds }, signal) {
      const body = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
        propagationPolicy,
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      };
      const plan: Plan = { method: 'DELETE', path: objectPath(type, key), body, priority: 'urgent' };
      await request(plan, signal, () => undefined);
    },
    watch<T extends KubeObject | Job>(
      type: ResourceType,
      watchRequest: WatchRequest,
      onEvent: (event: WatchEvent<T>) => void,
      signal: AbortSignal,
    ) {
      const query = queryString({
        watch: true,
        allowWatchBookmarks: true,
        ...scopeParameters(watchRequest),
        resourceVersion: watchRequest.resourceVersion,
        timeoutSeconds: watchRequest.timeoutSeconds,
      });
      const plan: Plan = { method: 'GET', path: collectionPath(type, watchRequest.namespace) + query };
      const facts = transport.factsOf(plan);
      const read = (response: HttpResponse): Promise<void> => {
        noteAnswer(response);
        response.extendDeadline(watchRequest.timeoutSeconds * 1000 + watchGraceMs);
        watchRequest.onOpen?.();
        return readEvents(facts, response, heartbeat, onEvent);
      };
      return transport.exchange(complete(plan), read, signal);
    },
    serverVersion(signal) {
      return request({ method: 'GET', path: '/version' }, signal, (value, facts) => {
        const { major, minor, gitVersion } = value;
        if (typeof major !== 'string' || typeof minor !== 'string' || typeof gitVersion !== 'string') {
          throw badAnswer(facts, 'The answer to /version names no version: is this a Kubernetes API server?');
        }
        // Managed clusters append a plus sign: `35+`.
        return { minor: `${major}.${minor.replace(/\D.*$/, '')}`, gitVersion };
      });
    },
    canI(attributes, signal) {
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: attributes },
      };
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      return request({ method: 'POST', path, body, isIdempotent: true }, signal, (value, facts) => {
        const status = value['status'];
        if (!isJsonObject(status) || typeof status['allowed'] !== 'boolean') {
          throw badAnswer(facts, 'The access review came back without a verdict.');
        }
        const reason = status['reason'];
        return { allowed: status['allowed'], ...(typeof reason === 'string' && reason !== '' ? { reason } : {}) };
      });
    },
    podLog(key, options, signal) {
      const query = queryString({
        container: options.container,
        tailLines: options.tailLines,
        limitBytes: logLimitBytes,
      });
      const path = objectPath({ group: '', version: 'v1', plural: 'pods' }, key, 'log') + query;
      const plan = complete({ method: 'GET', path, accept: '*/*', deadlineMs: timeoutMs * 2 });
      return transport.exchange(plan, (response) => readText(response.body, logLimitBytes), signal);
    },
    async openApi(apiVersion, signal) {
      const path = `/openapi/v3/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`;
      const plan = complete({ method: 'GET', path, deadlineMs: timeoutMs * 2 });
      const read = async (response: HttpResponse): Promise<JsonObject> =>
        parseJsonObject(transport.factsOf(plan), await readText(response.body, openApiLimit));
      try {
        return await transport.exchange(plan, read, signal);
      } catch (error) {
        // Without any text: it isn't the API machinery that answers here.
        if (error instanceof KubeError && error.status === 404) return undefined;
        throw error;
      }
    },
    async servedVersions(group, signal) {
      try {
        return await request({ method: 'GET', path: `/apis/${group}` }, signal, readVersions);
      } catch (error) {
        if (error instanceof KubeError && (error.kind === 'not-served' || error.kind === 'not-found')) return [];
        throw error;
      }
    },
    resetCredentials: () => transport.resetCredentials(),
    dispose: () => transport.dispose(),
  };
}

function readVersions(group: JsonObject): string[] {
  const { versions, preferredVersion } = group;
  const names = (Array.isArray(versions) ? versions : []).flatMap((one) =>
    isJsonObject(one) && typeof one['version'] === 'string' ? one['version'] : [],
  );
  const preferred = isJsonObject(preferredVersion) ? preferredVersion['version'] : undefined;
  return [...names.filter((name) => name === preferred), ...names.filter((name) => name !== preferred)];
}

/** What a dry run answers was never stored, so it may have no resourceVersion: it gets an empty one. */
function rehearsed(value: JsonObject): JsonObject {
  const { metadata } = value;
  return isJsonObject(metadata) ? { ...value, metadata: { resourceVersion: '', ...metadata } } : value;
}

/** Leases don't wait behind bulk work: a leader that can't renew in time loses its lease. */
function priorityOf(type: ResourceType): 'normal' | 'urgent' {
  return type.group === leases.group && type.plural === leases.plural ? 'urgent' : 'normal';
}

async function readList<T extends KubeObject | Job>(facts: RequestFacts, response: HttpResponse): Promise<KubeList<T>> {
  const items: JsonObject[] = [];
  const splitter = new ItemSplitter((text) => void items.push(parseJsonObject(facts, text)));
  for await (const chunk of response.body) {
    if (Buffer.isBuffer(chunk)) splitter.push(chunk);
  }
  return asList<T>(facts, parseJsonObject(facts, splitter.rest), items);
}

function readEvents<T extends KubeObject | Job>(
  facts: RequestFacts,
  response: HttpResponse,
  heartbeat: Heartbeat,
  onEvent: (event: WatchEvent<T>) => void,
): Promise<void> {
  const lost = Promise.withResolvers<never>();
  const waiting = heartbeat.wait((error) => {
    const message = 'Nothing came over the watch, and a question meanwhile was not answered.';
    lost.reject(error ?? new KubeError(message, { ...facts, kind: 'timeout' }));
  });
  const { body } = response;
  const reading = new Promise<void>((resolve, reject) => {
    const splitter = new LineSplitter((line) => onEvent(parseEvent<T>(facts, line)));
    body.on('data', (chunk: Buffer) => {
      heartbeat.heard();
      try {
        splitter.push(chunk);
      } catch (error) {
        body.destroy();
        reject(error);
      }
    });
    body.once('error', reject);
    body.once('close', () => waiting.dispose());
    body.once('end', () => {
      // Half an event at the end: the server or a proxy was cut off in mid-sentence.
      if (splitter.rest.trim() === '') resolve();
      else reject(badAnswer(facts, 'The watch ended in the middle of an event.'));
    });
  });
  return Promise.race([reading, lost.promise]).finally(() => waiting.dispose());
}

function parseEvent<T extends KubeObject | Job>(facts: RequestFacts, line: string): WatchEvent<T> {
  const { type, object } = parseJsonObject(facts, line);
  switch (type) {
    case 'ADDED':
      return { kind: 'added', object: asObject<T>(facts, object) };
    case 'MODIFIED':
      return { kind: 'modified', object: asObject<T>(facts, object) };
    case 'DELETED':
      return { kind: 'deleted', object: asObject<T>(facts, object) };
    case 'BOOKMARK': {
      const metadata = isJsonObject(object) ? object['metadata'] : undefined;
      const resourceVersion = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
      if (typeof resourceVersion !== 'string') throw badAnswer(facts, 'A bookmark came without a resourceVersion.');
      return { kind: 'bookmark', resourceVersion };
    }
    case 'ERROR':
      throw classifyWatchError(facts, object);
    default:
      throw badAnswer(facts, `The watch sent an event of unknown type ${String(type).slice(0, 40)}.`);
  }
}
