/** Base: what every other folder may use. Imports nothing, uses nothing of Node. */
export { childController, isAbort } from './abort.ts';
export { type Clock, nextTurn, type Random, sleep, systemClock, systemRandom } from './clock.ts';
export { type Disposable, DisposableStore } from './disposable.ts';
export { Emitter, type Event } from './event.ts';
export { isJsonObject, type JsonArray, type JsonObject, type JsonValue, textAt, valueAt } from './json.ts';
export { describeError, type Log, type LogFields, nullLog } from './log.ts';
export { once } from './once.ts';
export { isOurKey, mirrorFinalizer, mirrorKeys, recordKeys } from './ourKeys.ts';
export { atOnce, type Pieces } from './pieces.ts';
export { beginStretch, inStretches } from './stretch.ts';
export { Turns } from './turns.ts';
