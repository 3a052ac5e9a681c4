/** Decoding: what kube-apiserver refuses with HTTP 400, before any rule about the content is asked. */
export { type DecodedKind, type DecodeError, type DecodeOptions, decode } from './decode.ts';
