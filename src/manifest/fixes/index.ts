/** Fixes for what the API server refuses, and the same in plain words. */
import type { Fix } from '../finding.ts';
import { pathText } from '../locate.ts';
import type { FixSubject } from './subject.ts';
import { explainUnknown, fixUnknownField } from './unknownField.ts';
import { fixValue } from './values.ts';
import { explainWrongType, fixWrongType } from './wrongType.ts';

export { fixControllerName, namesFor } from './controllerName.ts';
export type { FixSubject } from './subject.ts';
export { placeMeant } from './unknownField.ts';

/** The preferred fix first; none where nothing sensible can be said. */
export function fixesFor(subject: FixSubject): readonly Fix[] {
  switch (subject.error.type) {
    case 'Unknown':
      return fixUnknownField(subject);
    case 'TypeInvalid':
      return fixWrongType(subject);
    default:
      return fixValue(subject);
  }
}

/** A sentence for people in front of the server's own message; undefined where that says it all. */
export function explain(subject: FixSubject): string | undefined {
  switch (subject.error.type) {
    case 'Unknown': {
      const { meant, belongsAt } = explainUnknown(subject);
      if (meant !== undefined) return `There is no such field here: did you mean '${meant}'?`;
      return belongsAt === undefined ? 'There is no such field here.' : `This field belongs at ${pathText(belongsAt)}.`;
    }
    case 'TypeInvalid':
      return explainWrongType(subject);
    default:
      return undefined;
  }
}
