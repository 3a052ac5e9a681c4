import type { PodSpec } from './types.ts';

/** Sysctls that belong to a namespace of the kernel. Source: Kubernetes 1.35, sysctl namespaces. */

/** The sysctls that are one for all pods in an IPC namespace of the kernel; those of the network begin with `net.`. */
const ipcSysctls: ReadonlySet<string> = new Set([
  'kernel.sem',
  'kernel.shm',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
  'kernel.msg',
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
]);

/** True if the sysctl of this name would change the node itself, because the pod shares the namespace with it. */
export function isHostSysctl(name: string, pod: PodSpec): boolean {
  const namespace = namespaceOf(name);
  return (pod.hostNetwork === true && namespace === 'net') || (pod.hostIPC === true && namespace === 'ipc');
}

/** The namespace of the kernel that a sysctl belongs to, of those that pods can share with their node. */
export function namespaceOf(name: string): 'ipc' | 'net' | undefined {
  const [dotted = ''] = withDots(name).split('*', 1);
  if (ipcSysctls.has(dotted) || dotted.startsWith('fs.mqueue.')) return 'ipc';
  return dotted.startsWith('net.') ? 'net' : undefined;
}

/** With slashes as separators, the dots in between belong to names of interfaces: `net/ipv4/conf/eth0.1/x`. */
function withDots(name: string): string {
  const separator = /[./]/.exec(name)?.[0];
  if (separator !== '/') return name;
  return name.replace(/[./]/g, (one) => (one === '/' ? '.' : '/'));
}
