/**
 * `node scripts/cluster/oracle.ts [--kubernetes 1.35] [--defaults]`: what Kubernetes' own code says to writes of Jobs
 * and CronJobs. Requests and answers are JSON lines on stdin and stdout; their shapes stand in
 * test/conformance/oracle/main.go. Builds the program first where the cache lacks it.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { describeError } from '../../src/base/index.ts';
import { oracleProgram } from './binaries.ts';
import { controlPlaneMinor, isKubernetesMinor } from './versions.ts';

const { values } = parseArgs({
  options: {
    kubernetes: { type: 'string', default: controlPlaneMinor },
    defaults: { type: 'boolean', default: false },
  },
});

try {
  if (!isKubernetesMinor(values.kubernetes)) throw new Error(`No such Kubernetes minor here: ${values.kubernetes}`);
  const program = await oracleProgram(values.kubernetes, (line) => console.error(line));
  const child = spawn(program, values.defaults ? ['--defaults'] : [], { stdio: 'inherit' });
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
} catch (error) {
  console.error(describeError(error));
  process.exitCode = 2;
}
