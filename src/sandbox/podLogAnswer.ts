import type { ServerResponse } from 'node:http';
import type { Disposable } from '../base/index.ts';
import { type Answer, textAnswer } from './answer.ts';
import type { IncomingCall } from './handler.ts';
import { microTimestamp } from './objects.ts';
import { isTrue } from './requestInfo.ts';
import { badRequest } from './status.ts';

/** One line without its newline, and when it was written (epoch milliseconds). */
export interface LogLine {
  readonly at: number;
  readonly text: string;
}

/** Whose log. No container: the first. `previous`: the run before the last restart. */
export interface LogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container?: string;
  readonly previous: boolean;
}

/** Where a pod's log comes from. */
export interface LogReader {
  /** The lines so far. Throws `ApiError` if there is no such pod or container, or it hasn't begun. */
  read(request: LogRequest): readonly LogLine[];
  /** Calls `onLine` for each line from now on and `onEnd` once when the container has ended. */
  follow(request: LogRequest, onLine: (line: LogLine) => void, onEnd: () => void): Disposable;
  /** False while the pod has no node that could have a log of it. */
  hasBegun(request: LogRequest): boolean;
  now(): number;
}

/** Answers a log request, or begins to stream if it is to be followed; then there is no answer. */
export function sendLog(logs: LogReader, call: IncomingCall, response: ServerResponse): Answer | undefined {
  const { query, info } = call;
  const container = query.get('container');
  const request: LogRequest = {
    namespace: info.namespace ?? '',
    name: info.name ?? '',
    ...(container === null || container === '' ? {} : { container }),
    previous: isTrue(query.get('previous')),
  };
  const render = isTrue(query.get('timestamps'))
    ? (line: LogLine): string => `${microTimestamp(line.at)} ${line.text}\n`
    : (line: LogLine): string => `${line.text}\n`;
  const lines = selectLines(logs.read(request), query, logs.now());
  const text = lines.map(render).join('');
  if (!isTrue(query.get('follow'))) {
    return textAnswer(logs.hasBegun(request) ? 200 : 204, limitBytes(text, query.get('limitBytes')));
  }

  response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.flushHeaders();
  if (text !== '') response.write(text);
  const following = logs.follow(
    request,
    (line) => void response.write(render(line)),
    () => response.end(),
  );
  response.once('close', () => following.dispose());
  return undefined;
}

/** First by time, then by number, as kubectl combines them. */
function selectLines(lines: readonly LogLine[], query: URLSearchParams, now: number): readonly LogLine[] {
  const since = query.get('sinceSeconds');
  const recent = since === null ? lines : lines.filter((line) => line.at >= now - Number(since) * 1000);
  const tail = query.get('tailLines');
  if (tail === null) return recent;
  if (!/^\d+$/u.test(tail)) throw badRequest(`invalid tailLines ${JSON.stringify(tail)}`);
  return Number(tail) === 0 ? [] : recent.slice(-Number(tail));
}

function limitBytes(text: string, limit: string | null): string {
  return limit === null ? text : Buffer.from(text).subarray(0, Number(limit)).toString('utf8');
}
