import { attention, type Reason, sentence, spellOut, waiting } from './reason.ts';
import type { MirrorSight } from './situation.ts';

/** What keeps a pod of the mirror from running, if anything does: one that never started first. */
export function podTrouble({ worker, pods }: MirrorSight): Reason | undefined {
  const pod =
    pods.find((one) => one.trouble !== undefined && one.phase === 'Pending' && !one.isDeleting) ??
    pods.find((one) => one.trouble !== undefined && one.phase === 'Running');
  if (pod?.trouble === undefined) return undefined;
  const { reason, message } = pod.trouble;
  const text = `Pod ${pod.name} on ${worker}: ${sentence(message === '' ? spellOut(reason) : message)}`;
  const remedy = podRemedies[reason];
  return remedy === undefined ? waiting(reason, text) : attention(reason, text, remedy);
}

const imageRemedy = 'Correct the name of the image, or give the worker access to its registry.';

/** What a person can do about what keeps a pod from running. */
const podRemedies: Readonly<Record<string, string>> = {
  ErrImagePull: imageRemedy,
  ImagePullBackOff: imageRemedy,
  InvalidImageName: imageRemedy,
  ErrImageNeverPull: imageRemedy,
  CreateContainerConfigError:
    'A ConfigMap, Secret or key that the pod refers to is missing on the worker: create it there.',
  CreateContainerError: 'The container can not be made: look at its command, volumes and security settings.',
  RunContainerError: 'The container can not be started: look at its command.',
  CrashLoopBackOff: 'The container ends again and again: look at its log.',
  Unschedulable: 'No node of the worker fits: ask for less, or correct node selector, tolerations and volumes.',
  SchedulingGated: 'Somebody has to take the scheduling gate off.',
};
