import { type Complaint, rule } from '../rule.ts';
import { all, each, fields, printedAs } from '../structure.ts';
import type { PodContext } from './context.ts';
import { filePathFaults } from './filePaths.ts';
import { podCertificate } from './podCertificate.ts';
import { about, aboutEach, required } from './ruleShapes.ts';
import { trustBundle } from './trustBundle.ts';
import { downwardFiles, fileMode, fileUser, keyFiles } from './volumeFiles.ts';
import type { ProjectedVolume, ProjectionSource, ServiceAccountTokenProjection } from './volumeTypes.ts';

/** Volumes projected from several sources. Source: Kubernetes 1.35, core validation, projected volumes. */

const source = 'G9';
const shortestToken = 600;
const longestToken = 2 ** 32;

const namedSource = (code: string, says: string) => required({ code, source, says });

const tokenExpiration = rule<number>({
  code: 'token-expiration',
  type: 'Invalid',
  source,
  says: 'A token lives between ten minutes and 2^32 seconds.',
  refuses: (seconds) => {
    if (seconds < shortestToken) return about(seconds, 'may not specify a duration less than 10 minutes');
    return seconds > longestToken && about(seconds, 'may not specify a duration larger than 2^32 seconds');
  },
});

/** The server files the path of a token under the volume itself. */
const tokenPath = all(
  required({ code: 'token-path-required', source, says: 'A token has a path.' }),
  rule<string, unknown, PodContext>({
    code: 'token-path-format',
    type: 'Invalid',
    source,
    says: 'The path of a token is relative, without `..`.',
    refuses: (path, _token, { tolerances }) =>
      path !== '' && !tolerances.nonLocalTokenPath && aboutEach(path, filePathFaults(path)),
  }),
);

const sourceKinds = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;

const oneKind = rule<ProjectionSource>({
  code: 'projection-one-kind',
  type: 'Forbidden',
  source,
  says: 'A source of a projected volume is of one kind.',
  refuses: (projection) =>
    sourceKinds.filter((kind) => projection[kind] !== undefined).length > 1 &&
    'may not specify more than 1 volume type per source',
});

/** The paths that one source fills, except that of a token: the server doesn't look at it here. */
function pathsOf(projection: ProjectionSource): readonly string[] {
  const { secret, configMap, downwardAPI, clusterTrustBundle, podCertificate: certificate } = projection;
  const items = [...(secret?.items ?? []), ...(configMap?.items ?? []), ...(downwardAPI?.items ?? [])];
  const paths = [
    ...items.map((item) => item.path),
    certificate?.credentialBundlePath,
    certificate?.keyPath,
    certificate?.certificateChainPath,
  ].filter((path) => path !== undefined && path !== '');
  // A bundle counts even without a path.
  return [...paths, ...(clusterTrustBundle ? [clusterTrustBundle.path ?? ''] : [])].flatMap((path) => path ?? []);
}

const pathsUnique = rule<ProjectedVolume>({
  code: 'projection-paths-unique',
  type: 'Invalid',
  source,
  says: 'Each file of a projected volume has a path of its own.',
  refuses: ({ sources = [] }) => {
    const seen = new Set<string>();
    const complaints: Complaint[] = [];
    for (const path of sources.flatMap(pathsOf)) {
      if (seen.has(path)) complaints.push({ message: about(path, 'conflicting duplicate paths') });
      seen.add(path);
    }
    return complaints;
  },
});

const projectionSource = all(
  fields<ProjectionSource, PodContext>({
    secret: fields<NonNullable<ProjectionSource['secret']>>({
      name: namedSource('projected-secret-name-required', 'A projected Secret has a name.'),
      items: keyFiles,
    }),
    configMap: fields<NonNullable<ProjectionSource['configMap']>>({
      name: namedSource('projected-config-map-name-required', 'A projected ConfigMap has a name.'),
      items: keyFiles,
    }),
    downwardAPI: fields<NonNullable<ProjectionSource['downwardAPI']>>({ items: downwardFiles }),
    serviceAccountToken: fields<ServiceAccountTokenProjection>({
      expirationSeconds: tokenExpiration,
      user: fileUser,
    }),
    clusterTrustBundle: trustBundle,
    podCertificate,
  }),
  oneKind,
);

/** Tokens once more, for their path: `projected.path` instead of `projected.sources[0].serviceAccountToken.path`. */
const tokenPaths = each(
  printedAs<ProjectionSource, readonly ProjectionSource[], PodContext>(
    '',
    fields<ProjectionSource, PodContext>({
      serviceAccountToken: printedAs<ServiceAccountTokenProjection, ProjectionSource, PodContext>(
        '',
        fields<ServiceAccountTokenProjection, PodContext>({ path: tokenPath }),
      ),
    }),
  ),
);

/** A projected volume. */
export const projectedVolume = all(
  fields<ProjectedVolume, PodContext>({
    defaultMode: fileMode,
    defaultUser: fileUser,
    sources: [
      each(projectionSource),
      printedAs<readonly ProjectionSource[], ProjectedVolume, PodContext>('', tokenPaths),
    ],
  }),
  pathsUnique,
);
