/** Sandbox: Kubernetes clusters in memory, reached over HTTPS on loopback like any other. Uses base and admission. */
export type { AccessRule } from './access.ts';
export type { Fault, FaultRule } from './faults.ts';
export { parseDuration } from './kubelet/script.ts';
export { type Sandbox, type SandboxCluster, type SandboxOptions, startSandbox } from './sandbox.ts';
