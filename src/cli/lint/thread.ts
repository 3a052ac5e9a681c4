import type { MessagePort } from 'node:worker_threads';
import { type CheckOptions, FileChecker } from './checkFile.ts';
import type { LintTarget } from './files.ts';

/** What a thread of the linter is started with. Each row of targets that is then posted to it is answered by a row of reports. */
export interface LintThreadTask {
  readonly kind: 'lint';
  readonly options: CheckOptions;
}

export function runLintThread({ options }: LintThreadTask, port: MessagePort): void {
  const checker = new FileChecker(options);
  port.on('message', (targets: readonly LintTarget[]) => port.postMessage(targets.map((one) => checker.check(one))));
}
