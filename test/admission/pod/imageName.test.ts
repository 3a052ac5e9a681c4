import { expect, it } from 'vitest';
import { isLatest } from '../../../src/admission/pod/imageName.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** Whether a container with this image is pulled anew each time unless it says otherwise. */
it.each([
  ['a bare name', 'busybox', true],
  ['the tag latest', 'busybox:latest', true],
  ['another tag', 'busybox:1.37', false],
  ['a digest', `busybox@${digest}`, false],
  ['a tag and a digest', `busybox:1@${digest}`, false],
  ['latest with a digest', `busybox:latest@${digest}`, true],
  ['a registry with a port and no tag', 'registry.example:5000/team/app', true],
  ['a registry with a port and a tag', 'registry.example:5000/team/app:1', false],
  ['what is no image name', 'Not An Image', false],
  ['a digest of the wrong length', 'busybox@sha256:0123', false],
  ['what looks like an identifier', '0123456789abcdef'.repeat(4), false],
])('%s', (_name, image, isPulledAnew) => expect(isLatest(image)).toBe(isPulledAnew));
