import { type KubeApi, type KubeObject, namespaces } from './types.ts';

/**
 * The identity of a cluster: the UID of its `kube-system` namespace, which lives as long as the cluster does. Context
 * names and addresses differ from user to user and change. Rejects with `KubeError`; `forbidden` means that somebody
 * has to say which cluster it is.
 */
export async function clusterIdentity(api: KubeApi, signal: AbortSignal): Promise<string> {
  const namespace = await api.get<KubeObject>(namespaces, { name: 'kube-system' }, signal);
  return namespace.metadata.uid;
}
