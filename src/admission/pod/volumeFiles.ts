import { type Context, rule } from '../rule.ts';
import { all, each, fields, printedAs } from '../structure.ts';
import { fieldOfFile, resourceOfFile } from './downwardApi.ts';
import { filePathFaults } from './filePaths.ts';
import { about, formatted, required, userOrGroupId } from './ruleShapes.ts';
import type { ConfigMapVolume, DownwardFile, DownwardVolume, KeyToPath, SecretVolume } from './volumeTypes.ts';

/** Volumes made of keys: secrets, config maps, the downward API. Source: Kubernetes 1.35, core validation, volumes. */

const source = 'G9';
const highestMode = 0o777;

/** Permission bits of a file. */
export const fileMode = rule<number>({
  code: 'file-mode',
  type: 'Invalid',
  source,
  says: 'The mode of a file is between 0 and 0777.',
  refuses: (mode) =>
    (mode < 0 || mode > highestMode) && about(mode, 'must be a number between 0 and 0777 (octal), both inclusive'),
});

/** Who owns a file. */
export const fileUser = userOrGroupId({
  code: 'file-user',
  source,
  since: '1.37',
  says: 'A user id is between 0 and 2147483647.',
});

/** Where a file lies in its volume; an empty path is for others to refuse. */
export const filePath = formatted(
  { code: 'file-path-format', source, says: 'The path of a file is relative, without `..`.' },
  filePathFaults,
);

/** The files that a volume makes of keys. */
export const keyFiles = each(
  fields<KeyToPath>({
    key: required({ code: 'file-key-required', source, says: 'A file is made of a key.' }),
    path: [required({ code: 'file-path-required', source, says: 'A file has a path.' }), filePath],
    mode: fileMode,
    user: fileUser,
  }),
);

const oneContent = rule<DownwardFile>({
  code: 'file-one-content',
  type: 'Invalid',
  source,
  says: 'A file of the downward API holds a field or a resource, not both.',
  refuses: ({ fieldRef, resourceFieldRef }) =>
    fieldRef !== undefined &&
    resourceFieldRef !== undefined &&
    about('resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
});

const contentRequired = rule<DownwardFile>({
  code: 'file-content-required',
  type: 'Required',
  source,
  says: 'A file of the downward API holds a field or a resource.',
  refuses: ({ fieldRef, resourceFieldRef }) =>
    fieldRef === undefined && resourceFieldRef === undefined && 'one of fieldRef and resourceFieldRef is required',
});

const resourceUnlessField = all(resourceOfFile);

/** One file of the downward API, whose faults the server files under the volume itself, without list and index. */
const downwardFile = all(
  fields<DownwardFile>({
    path: [required({ code: 'downward-path-required', source, says: 'A file has a path.' }), filePath],
    fieldRef: fieldOfFile,
    resourceFieldRef: {
      run: (value, file, context, path, judgement) => {
        if (file.fieldRef === undefined) resourceUnlessField.run(value, file, context, path, judgement);
      },
      visit: resourceUnlessField.visit,
    },
    mode: fileMode,
    user: fileUser,
  }),
  oneContent,
  contentRequired,
);

/** The files of the downward API. */
export const downwardFiles = printedAs<readonly DownwardFile[], unknown, Context>(
  '',
  each<DownwardFile>(printedAs('', downwardFile)),
);

/** A volume of a Secret's keys. */
export const secretVolume = fields<SecretVolume>({
  secretName: required({ code: 'secret-name-required', source, says: 'A secret volume names its Secret.' }),
  defaultMode: fileMode,
  defaultUser: fileUser,
  items: keyFiles,
});

/** A volume of a ConfigMap's keys. */
export const configMapVolume = fields<ConfigMapVolume>({
  name: required({ code: 'config-map-name-required', source, says: 'A configMap volume names its ConfigMap.' }),
  defaultMode: fileMode,
  defaultUser: fileUser,
  items: keyFiles,
});

/** A volume of the pod's own fields. */
export const downwardVolume = fields<DownwardVolume>({
  defaultMode: fileMode,
  defaultUser: fileUser,
  items: downwardFiles,
});
