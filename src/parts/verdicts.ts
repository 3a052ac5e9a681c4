/**
 * The API server's verdicts apart from the rest of authoring, a bundle of its own: loaded in front of it, for the two are
 * about as heavy, and together would hold the event loop longer than a frame.
 */
export { newestMinor } from '../admission/index.ts';
