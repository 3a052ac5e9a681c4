import { ruleCatalogue } from '../admission/index.ts';
import { rules } from './rules/index.ts';

/** Where the pages of docs/rules can be read. */
const folder = 'https://github.com/delegated-jobs/vscode-delegated-jobs/blob/main/docs/rules';

/** The page that says what a finding is about, by the finding's code. */
export function pagesByCode(): (code: string) => string {
  const own = new Set(rules.map(({ code }) => code));
  const servers = new Set(ruleCatalogue().map(({ code }) => code));
  return (code) => {
    if (own.has(code)) return `${folder}/${code}.md`;
    // One row each, which the fragment leads to.
    return servers.has(code) ? `${folder}/kubernetes.md#${code}` : `${folder}/README.md#${code}`;
  };
}
