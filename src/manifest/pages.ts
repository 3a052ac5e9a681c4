import { type CatalogueEntry, ruleCatalogue } from '../admission/index.ts';
import { rules } from './rules/index.ts';

/** Where the pages of docs/rules can be read. */
const folder = 'https://github.com/delegated-jobs/vscode-delegated-jobs/blob/main/docs/rules';

/**
 * The API server's rules by what they are about, a page each in docs/rules/kubernetes, with a section a rule. The first
 * pattern that matches a rule's source and code decides.
 */
const topics: readonly (readonly [page: string, pattern: RegExp])[] = [
  ['indexed-jobs', /^(?:A6|B3|B4|B5|B1[0-5]|C4) /],
  ['owners-and-finalizers', /^(?:A9|A10) |^A11 finalizers-/],
  ['metadata', /^A\d+ /],
  ['managed-by', /^(?:B20|C6) /],
  ['pod-failure-policy', /^B(?:4[89]|5\d|6[0-3])[ ,]/],
  ['success-policy', /^B(?:6[4-9]|70) /],
  ['gang-scheduling', /^B72 |^G12 (?:workload|scheduling)-/],
  ['label-selectors', /^B43 /],
  ['job-selector', /^B4[1-5] /],
  ['job', /^[BC]\d/],
  ['job-status', /^D\d/],
  ['cron-job', /^F\d/],
  ['pod-annotations', /^G1 /],
  ['containers', /^G[2-5] /],
  ['ports', /^G6 /],
  ['environment', /^G7 /],
  ['volume-mounts', /^G8 /],
  ['ephemeral-volumes', /^G9 claim-(?!name-)/],
  [
    'projected-volumes',
    /^G9 (?:projected|projection|token|trust-bundle|signer|user-annotation|certificate|downward)|^G9 file-(?:one-)?content/,
  ],
  ['volumes', /^G9 (?:volume-(?!secret)|empty-dir|host-path|secret|config-map|claim-name|file|image-volume|csi)/],
  ['storage-systems', /^G9 /],
  ['resources', /^G10 |^G11 (?:init-)?resize-/],
  ['restart-rules', /^G11 (?:init-|sidecar-|container-)?restart-/],
  ['probes-and-hooks', /^G11 /],
  ['dns-and-hosts', /^G12 (?:dns|nameserver|search|host)/],
  ['pod-settings', /^G12 |^G18 os-/],
  ['tolerations-and-spreading', /^G1[46] /],
  ['affinity', /^G1[35] /],
  ['security', /^G17 /],
  ['resource-claims', /^G18 /],
  ['evictions', /responder/],
  ['deployments-and-stateful-sets', /apps validation/],
];

/** The topic of a rule of the API server: the name of its page in docs/rules/kubernetes. */
export function topicOf({ code, source }: Pick<CatalogueEntry, 'code' | 'source'>): string | undefined {
  return topics.find(([, pattern]) => pattern.test(`${source} ${code}`))?.[0];
}

/** The page that says what a finding is about, by the finding's code. */
export function pagesByCode(): (code: string) => string {
  const own = new Set(rules.map(({ code }) => code));
  const servers = new Map(ruleCatalogue().map((entry) => [entry.code, entry]));
  return (code) => {
    if (own.has(code)) return `${folder}/${code}.md`;
    const entry = servers.get(code);
    // What isn't a rule's is said while a text is read and decoded.
    if (entry === undefined) return `${folder}/reading.md#${code}`;
    const topic = topicOf(entry);
    return topic === undefined ? `${folder}/kubernetes.md#${code}` : `${folder}/kubernetes/${topic}.md#${code}`;
  };
}
