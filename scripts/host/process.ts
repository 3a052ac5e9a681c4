import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** Runs a program to its end; rejects with its last lines when it fails. Its output goes to our standard error if `show`. */
export function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions & { readonly show?: boolean } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { show = false, ...rest } = options;
    const child = spawn(command, args, { ...rest, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-100_000);
        if (show) process.stderr.write(text);
      });
    }
    child.on('error', (error) => reject(new Error(`${command} can't be started: ${error.message}`)));
    child.on('exit', (code) => {
      if (code === 0) resolve(output);
      else
        reject(
          new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${output.split('\n').slice(-25).join('\n')}`),
        );
    });
  });
}

/** Resolves when the process has ended; asks it to (SIGTERM), and after `graceMs` ends it. */
export function end(child: ChildProcess, graceMs = 5000): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/** A TCP port that was free on loopback a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port.')),
      );
    });
  });
}
