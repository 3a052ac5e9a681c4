import type { WordsByType } from './fieldWords.ts';

/** What every object has. Source of the facts: Kubernetes 1.34 to 1.37, object metadata and its validation. */
export const metadataWords: WordsByType = {
  ObjectMeta: {
    annotations: 'Notes for tools, which nobody selects by. All keys and values together may have 256 KiB.',
    creationTimestamp: 'When the object was created. Set by the API server.',
    deletionGracePeriodSeconds: 'How long the deletion waits. Set by the API server.',
    deletionTimestamp:
      'When deletion was asked for: the object goes once its finalizers are gone. Set by the API server.',
    finalizers:
      'Who must agree before the object is deleted. Each entry is taken out by its owner; one whose owner is gone keeps the object for ever.',
    generateName:
      'The start of the name, to which the API server adds five characters. `kubectl create` takes it, `kubectl apply` does not.',
    generation: 'Goes up by one with each change of the spec. Set by the API server.',
    labels: 'Words to select objects by. Values have at most 63 characters: letters, digits, `-`, `_` and `.`.',
    managedFields: 'Who wrote which field. Kept by the API server.',
    name: 'The name, unique for its kind within the namespace: lower case, digits, `-` and `.`. Pods and the label `job-name` take it over, so a Job should stay within 63 characters, and an Indexed one needs room for the index.',
    namespace: {
      says: 'The namespace. A mirror on a worker cluster is created in one of the same name, which must exist there.',
      unset: 'that of the context which applies the manifest',
    },
    ownerReferences: 'What this object is deleted with.',
    resourceVersion: 'The state that a change was based on. Set by the API server; leave it out of manifests.',
    uid: 'Tells this object from others of the same name, before and after. Set by the API server.',
    selfLink: 'No longer filled. Leave it out.',
  },
  OwnerReference: {
    apiVersion: 'Of the owner.',
    blockOwnerDeletion: 'Whether a foreground deletion of the owner waits for this object.',
    controller: 'True for the one owner that runs this object.',
    kind: 'Of the owner.',
    name: 'Of the owner, in the same namespace.',
    uid: 'Of the owner. One that is wrong gets this object deleted.',
  },
  LabelSelector: {
    matchExpressions: 'Conditions on labels, all of which must hold.',
    matchLabels: 'Labels that must be there with exactly these values.',
  },
  LabelSelectorRequirement: {
    key: 'The label.',
    operator: {
      says: 'How its value is compared with `values`.',
      values: {
        In: 'It is one of `values`.',
        NotIn: 'It is none of `values`, or the label is missing.',
        Exists: 'The label is there, whatever its value.',
        DoesNotExist: 'The label is missing.',
      },
    },
    values: 'What it is compared with. Needed for `In` and `NotIn`, forbidden for the others.',
  },
  LocalObjectReference: { name: 'A name in the same namespace.' },
};
