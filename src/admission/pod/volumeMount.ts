import { unsupportedMessage } from '../formats.ts';
import { rule } from '../rule.ts';
import { all, each, fields, printedAs } from '../structure.ts';
import type { ContainerContext } from './context.ts';
import { descendingPathFaults, parentStepFaults } from './filePaths.ts';
import { about, formattedIfSet, oneOf, required, unique } from './ruleShapes.ts';
import type { VolumeDevice, VolumeMount } from './types.ts';
import type { Volume } from './volumeTypes.ts';

/** Where containers see volumes. Source: Kubernetes 1.35, core validation, volume mounts and devices. */

const source = 'G8';

const mountNameRequired = required({ code: 'mount-name-required', source, says: 'A mount names its volume.' });

const mountNameKnown = rule<string, unknown, ContainerContext>({
  code: 'mount-volume-exists',
  type: 'NotFound',
  source,
  says: 'A mounted volume is one of spec.volumes, and has no fault of its own.',
  evenIfAbsent: true,
  refuses: (name = '', _mount, { usableVolumes }) => !usableVolumes.has(name) && JSON.stringify(name),
});

const mountNotADevice = rule<string, VolumeMount, ContainerContext>({
  code: 'mount-not-a-device',
  type: 'Invalid',
  source,
  says: 'A container has a volume as a folder or as a device, not both.',
  evenIfAbsent: true,
  refuses: (name = '', _mount, { devices }) =>
    devices.names.has(name) && about(name, 'must not already exist in volumeDevices'),
});

const mountPathNotADevice = rule<string, VolumeMount, ContainerContext>({
  code: 'mount-path-not-a-device',
  type: 'Invalid',
  source,
  says: 'No device has the path of a folder.',
  evenIfAbsent: true,
  refuses: (path = '', _mount, { devices }) =>
    devices.paths.has(path) && about(path, 'must not already exist as a path in volumeDevices'),
});

const mountPathUnique = unique<VolumeMount>(
  { code: 'mount-path-unique', type: 'Invalid', source, says: 'A container mounts one volume at a path.' },
  ({ mountPath = '' }) => mountPath,
  'mountPath',
);

const oneSubPath = rule<string, VolumeMount>({
  code: 'mount-one-sub-path',
  type: 'Invalid',
  source,
  says: 'A mount has a subPath or a subPathExpr, not both.',
  refuses: (expression, { subPath = '' }) =>
    expression !== '' && subPath !== '' && about(expression, 'subPathExpr and subPath are mutually exclusive'),
});

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

const bidirectionalPrivileged = rule<string, unknown, ContainerContext>({
  code: 'mount-propagation-privileged',
  type: 'Forbidden',
  source,
  says: 'Only a privileged container propagates its mounts to the host.',
  refuses: (propagation, _mount, { container }) =>
    propagation === 'Bidirectional' &&
    container.securityContext?.privileged !== true &&
    'Bidirectional mount propagation is available only to privileged containers',
});

const recursiveModes = ['Disabled', 'Enabled', 'IfPossible'];

const recursiveReadOnly = rule<string, VolumeMount>({
  code: 'mount-recursive-read-only',
  type: 'Forbidden',
  source,
  says: 'What is read-only all the way down is read-only, and propagates no mounts.',
  refuses: (mode, { readOnly, mountPropagation }) => {
    if (mode !== 'Enabled' && mode !== 'IfPossible') return false;
    if (readOnly !== true) return 'may only be specified when readOnly is true';
    return (
      mountPropagation !== undefined &&
      mountPropagation !== 'None' &&
      'may only be specified when mountPropagation is None or not specified'
    );
  },
});

/** Faults that the server files under the list of mounts, without the index. */
const faultsOfTheList = fields<VolumeMount, ContainerContext>({
  subPath: formattedIfSet(
    { code: 'mount-sub-path-format', source, says: 'A path in a volume is relative, without `..`.' },
    descendingPathFaults,
  ),
  subPathExpr: formattedIfSet(
    { code: 'mount-sub-path-expression-format', source, says: 'A path in a volume is relative, without `..`.' },
    descendingPathFaults,
  ),
  mountPropagation: [
    oneOf({ code: 'mount-propagation', source, says: 'Mounts propagate not at all, one way or both.' }, propagations),
    bidirectionalPrivileged,
  ],
  recursiveReadOnly: [
    oneOf(
      { code: 'mount-recursive-mode', source, says: 'recursiveReadOnly is Disabled, IfPossible or Enabled.' },
      recursiveModes,
    ),
    recursiveReadOnly,
  ],
});

const bindOptions = ['nodev', 'noexec', 'nosuid'];

const bindOptionKnown = rule<string>({
  code: 'mount-option-known',
  type: 'NotSupported',
  source,
  since: '1.37',
  says: 'The options of a mount are noexec, nodev and nosuid.',
  refuses: (option) => !bindOptions.includes(option) && unsupportedMessage(option, bindOptions),
});

const bindOptionsNotOnImages = rule<readonly string[], VolumeMount, ContainerContext>({
  code: 'mount-options-image',
  type: 'Invalid',
  source,
  since: '1.37',
  says: 'The mount of an image has no options.',
  refuses: (options, { name = '' }, { usableVolumes }) =>
    options.length > 0 &&
    usableVolumes.get(name)?.image !== undefined &&
    'bindMountOptions may not be used with image volumes',
});

/** The mounts of one container. */
export const volumeMounts = all(
  each<VolumeMount, ContainerContext>(
    fields<VolumeMount, ContainerContext>({
      name: [mountNameRequired, mountNameKnown, mountNotADevice],
      mountPath: [required({ code: 'mount-path-required', source, says: 'A mount has a path.' }), mountPathNotADevice],
      subPathExpr: oneSubPath,
      bindMountOptions: [
        each<string, ContainerContext>(bindOptionKnown),
        unique<string>(
          { code: 'mount-option-unique', source, since: '1.37', says: 'A mount has an option once.' },
          (option) => option,
        ),
        bindOptionsNotOnImages,
      ],
    }),
    printedAs<VolumeMount, readonly VolumeMount[], ContainerContext>('', faultsOfTheList),
  ),
  mountPathUnique,
);

function isOfClaim(volume: Volume): boolean {
  return volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined;
}

const deviceName = [
  required({ code: 'device-name-required', source, says: 'A device names its volume.' }),
  rule<string, unknown, ContainerContext>({
    code: 'device-of-claim',
    type: 'Invalid',
    source,
    says: 'Only the volume of a claim can be a device.',
    evenIfAbsent: true,
    refuses: (name = '', _device, { usableVolumes }) => {
      const volume = usableVolumes.get(name);
      if (volume === undefined || isOfClaim(volume)) return false;
      return about(name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode');
    },
  }),
  rule<string, unknown, ContainerContext>({
    code: 'device-volume-exists',
    type: 'NotFound',
    source,
    says: 'The volume of a device is one of spec.volumes, and has no fault of its own.',
    evenIfAbsent: true,
    refuses: (name = '', _device, { usableVolumes }) => !usableVolumes.has(name) && JSON.stringify(name),
  }),
  rule<string, unknown, ContainerContext>({
    code: 'device-not-a-mount',
    type: 'Invalid',
    source,
    says: 'A container has a volume as a folder or as a device, not both.',
    evenIfAbsent: true,
    refuses: (name = '', _device, { mounts }) =>
      mounts.names.has(name) && about(name, 'must not already exist in volumeMounts'),
  }),
];

const devicePath = [
  required({ code: 'device-path-required', source, says: 'A device has a path.' }),
  rule<string>({
    code: 'device-path-format',
    type: 'Invalid',
    source,
    says: 'The path of a device has no `..`.',
    refuses: (path) => parentStepFaults(path).length > 0 && about(path, "can not contain backsteps ('..')"),
  }),
  rule<string, unknown, ContainerContext>({
    code: 'device-path-not-a-mount',
    type: 'Invalid',
    source,
    says: 'No device has the path of a folder.',
    evenIfAbsent: true,
    refuses: (path = '', _device, { mounts }) =>
      mounts.paths.has(path) && about(path, 'must not already exist as a path in volumeMounts'),
  }),
];

/** The block devices of one container. */
export const volumeDevices = all(
  each<VolumeDevice, ContainerContext>(fields<VolumeDevice, ContainerContext>({ name: deviceName, devicePath })),
  unique<VolumeDevice>(
    { code: 'device-name-unique', type: 'Invalid', source, says: 'A container has a volume as a device once.' },
    ({ name = '' }) => (name === '' ? undefined : name),
    'name',
  ),
  unique<VolumeDevice>(
    { code: 'device-path-unique', type: 'Invalid', source, says: 'A container has one device at a path.' },
    ({ devicePath: path = '' }) => (parentStepFaults(path).length > 0 ? undefined : path),
    'devicePath',
  ),
);
