/**
 * Language: what helps while a manifest is written, and is needed only then: completion, hover, and our own words for
 * fields. Pure, as `manifest` is.
 */
export { type Completion, completionsAt, namesUsed, snippetFile } from './completion/index.ts';
export { type Hover, type HoverField, hoverAt } from './hover.ts';
