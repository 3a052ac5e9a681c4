import { byteLength, unsupportedMessage } from '../formats.ts';
import { type Check, type Context, rule } from '../rule.ts';
import { fields } from '../structure.ts';
import { descendingPathFaults } from './filePaths.ts';
import { about, aboutEach, isPadded } from './ruleShapes.ts';
import type { SecurityProfile } from './types.ts';

/** Seccomp and AppArmor profiles. Source: Kubernetes 1.35, core validation, security profiles. */

const source = 'G17';
const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
/** The longest path of a file, without its final zero. */
const longestProfile = 4095;

const seccompTypeRequired = rule<string>({
  code: 'seccomp-type-required',
  type: 'Required',
  source,
  says: 'A seccomp profile has a type.',
  evenIfAbsent: true,
  refuses: (type = '') => type === '' && 'type is required when seccompProfile is set',
});

const seccompTypeKnown = rule<string>({
  code: 'seccomp-type-known',
  type: 'NotSupported',
  source,
  says: 'A seccomp profile is Localhost, RuntimeDefault or Unconfined.',
  refuses: (type) => type !== '' && !profileTypes.includes(type) && unsupportedMessage(type, profileTypes),
});

const seccompFileRequired = rule<string, SecurityProfile>({
  code: 'seccomp-file-required',
  type: 'Required',
  source,
  says: 'A Localhost profile names its file.',
  evenIfAbsent: true,
  refuses: (file, { type }) =>
    type === 'Localhost' && file === undefined && 'must be set when seccomp type is Localhost',
});

const seccompFileFormat = rule<string, SecurityProfile>({
  code: 'seccomp-file-format',
  type: 'Invalid',
  source,
  says: 'The file of a Localhost profile lies below the folder of profiles.',
  refuses: (file, { type }) => type === 'Localhost' && aboutEach(file, descendingPathFaults(file)),
});

const seccompFileLocalhost = rule<string, SecurityProfile>({
  code: 'seccomp-file-localhost',
  type: 'Invalid',
  source,
  says: 'Only a Localhost profile of seccomp has a file.',
  refuses: (_file, { type }) => type !== 'Localhost' && 'can only be set when seccomp type is Localhost',
});

/** A seccomp profile. */
export const seccompProfile: Check<SecurityProfile, unknown, Context> = fields<SecurityProfile>({
  type: [seccompTypeRequired, seccompTypeKnown],
  localhostProfile: [seccompFileRequired, seccompFileFormat, seccompFileLocalhost],
});

const appArmorTypeRequired = rule<string>({
  code: 'app-armor-type-required',
  type: 'Required',
  source,
  says: 'An AppArmor profile has a type.',
  evenIfAbsent: true,
  refuses: (type = '') => type === '' && 'type is required when appArmorProfile is set',
});

const appArmorTypeKnown = rule<string>({
  code: 'app-armor-type-known',
  type: 'NotSupported',
  source,
  says: 'An AppArmor profile is Localhost, RuntimeDefault or Unconfined.',
  refuses: (type) => type !== '' && !profileTypes.includes(type) && unsupportedMessage(type, profileTypes),
});

const appArmorFileRequired = rule<string, SecurityProfile>({
  code: 'app-armor-file-required',
  type: 'Required',
  source,
  says: 'A Localhost profile names itself.',
  evenIfAbsent: true,
  refuses: (file = '', { type }) =>
    type === 'Localhost' && file === '' && 'must be set when AppArmor type is Localhost',
});

const appArmorFileFormat = rule<string, SecurityProfile>({
  code: 'app-armor-file-format',
  type: 'Invalid',
  source,
  says: 'The name of a Localhost profile has no space around it.',
  refuses: (file, { type }) =>
    type === 'Localhost' && isPadded(file) && about(file, 'must not be padded with whitespace'),
});

const appArmorFileLocalhost = rule<string, SecurityProfile>({
  code: 'app-armor-file-localhost',
  type: 'Invalid',
  source,
  says: 'RuntimeDefault and Unconfined profiles of AppArmor have no name.',
  refuses: (file, { type }) =>
    (type === 'RuntimeDefault' || type === 'Unconfined') &&
    about(file, 'can only be set when AppArmor type is Localhost'),
});

const appArmorFileLength = rule<string, SecurityProfile>({
  code: 'app-armor-file-length',
  type: 'TooLong',
  source,
  says: 'The name of a Localhost profile has at most 4095 bytes.',
  refuses: (file, { type }) =>
    type === 'Localhost' && byteLength(file) > longestProfile && `may not be more than ${longestProfile} bytes`,
});

/** An AppArmor profile. */
export const appArmorProfile: Check<SecurityProfile, unknown, Context> = fields<SecurityProfile>({
  type: [appArmorTypeRequired, appArmorTypeKnown],
  localhostProfile: [appArmorFileRequired, appArmorFileFormat, appArmorFileLocalhost, appArmorFileLength],
});
