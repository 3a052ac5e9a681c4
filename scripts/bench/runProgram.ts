import { spawn } from 'node:child_process';

/** Runs a program to its end, whatever the exit code (tools tell by it what they found), with its output and elapsed time. */
export function runProgram(
  program: string,
  args: readonly string[],
  input = '',
): Promise<{ readonly output: string; readonly seconds: number }> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', () =>
      resolve({ output: Buffer.concat(chunks).toString('utf8'), seconds: (performance.now() - start) / 1000 }),
    );
    child.stdin.end(input);
  });
}
