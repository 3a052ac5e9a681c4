/** Decoding: what kube-apiserver refuses with HTTP 400, before any rule about the content is asked. */
export { decode } from './decode.ts';
export { type DecodedKind, type DecodeError, type DecodeOptions, decodeRules } from './decodeError.ts';
