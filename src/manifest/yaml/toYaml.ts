import { Document, Scalar, visit } from 'yaml';
import { readScalar } from './scalars.ts';

/**
 * An object as a person reads it, as most manifests are laid out, and as kubectl reads it back: strings that YAML 1.2
 * lets stand without quotes and kubectl takes for something else, such as `y`, are quoted.
 */
export function toYaml(object: object): string {
  const document = new Document(object, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && !isPlainString(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 0, indentSeq: false });
}

/** Whether kubectl reads the text without quotes as itself. */
function isPlainString(text: string): boolean {
  const reading = readScalar(text, false, undefined);
  // Without quotes, that key merges.
  return text !== '<<' && 'value' in reading && reading.value === text;
}
