import { entryOf, type ManifestNode, type ScalarNode } from '../yaml/nodes.ts';
import type { Span } from '../yaml/text.ts';
import type { Breach, Rule } from './rule.ts';

/** What a script in a manifest gets wrong about the end of a Job. */

const kubectlWait = /\bkubectl\b[^|;&]*\bwait\b/;
const forSuccess = /--for[= ]?["']?(?:condition=complete\b|jsonpath=\S*(?:completionTime|succeeded))/i;
/** What of it is marked. */
const telling = /condition=complete\b|completionTime|succeeded/i;
const forFailure = /condition=failed\b|["']Failed["']/i;

const message =
  'This wait ends only when the Job completes. One that fails, or stays suspended, keeps it until its --timeout (30 s unless said otherwise): look for condition=failed too.';

const waitRule: Rule = {
  code: 'wait-for-success-only',
  severity: 'information',
  says: 'A wait for condition=complete ends with success alone: a Job that fails or stays suspended keeps it until its timeout.',
  source: 'kubernetes/kubectl issues 1482 and 1629',
  url: 'https://kubernetes.io/docs/reference/kubectl/generated/kubectl_wait/',
  check({ root, text }) {
    if (!text.includes('kubectl')) return [];
    const breaches: Breach[] = [];
    const visit = (node: ManifestNode, path: string): void => {
      if (node.kind === 'sequence') for (const [index, item] of node.items.entries()) visit(item, `${path}[${index}]`);
      if (node.kind !== 'map') return;
      const words = ['command', 'args', 'script'].flatMap((key) => wordsOf(entryOf(node, key)?.value));
      const script = words.map(({ value }) => value).join(' ');
      if (kubectlWait.test(script) && forSuccess.test(script) && !forFailure.test(script)) {
        breaches.push({ span: placeOfWait(words, text) ?? node.span, field: path, message });
      }
      for (const { key, value } of node.entries) visit(value, path === '' ? key : `${path}.${key}`);
    };
    visit(root, '');
    return breaches;
  },
};

/** The words of a command, or the text of a script. */
function wordsOf(node: ManifestNode | undefined): readonly ScalarNode[] {
  if (node?.kind === 'sequence') return node.items.flatMap(wordsOf);
  return node?.kind === 'scalar' && typeof node.value === 'string' ? [node] : [];
}

function placeOfWait(words: readonly ScalarNode[], text: string): Span | undefined {
  for (const { span } of words) {
    const found = telling.exec(text.slice(span.start, span.end));
    if (found !== null) return { start: span.start + found.index, end: span.start + found.index + found[0].length };
  }
  return undefined;
}

export const waitingRules: readonly Rule[] = [waitRule];
