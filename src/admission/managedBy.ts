import { byteLength, domainPrefixedPathFaults } from './formats.ts';
import type { JobSpec } from './objects.ts';
import { rule } from './rule.ts';

/** `spec.managedBy`: who runs the Job. Source: Kubernetes 1.35, batch validation. That it never changes: jobUpdate.ts. */

// The enhancement proposal says 64; what runs is 63.
const maxLength = 63;

const notEmpty = rule<string, JobSpec>({
  code: 'managed-by-empty',
  type: 'Required',
  source: 'B20',
  says: 'managedBy is left out for the built-in controller; it is never empty.',
  refuses: (managedBy) => managedBy === '' && 'must name a controller, or be left out',
});

const format = rule<string, JobSpec>({
  code: 'managed-by-format',
  type: 'Invalid',
  source: 'B20',
  says: 'managedBy is a domain, a slash and a path, such as kueue.x-k8s.io/multikueue.',
  // No value is forbidden: kubernetes.io/job-controller is merely the name of the built-in controller.
  refuses: (managedBy) => managedBy !== '' && domainPrefixedPathFaults(managedBy),
});

const length = rule<string, JobSpec>({
  code: 'managed-by-length',
  type: 'TooLong',
  source: 'B20',
  says: 'managedBy has at most 63 bytes.',
  refuses: (managedBy) => byteLength(managedBy) > maxLength && `may not be more than ${maxLength} bytes`,
});

/** Every rule of the field's own form. */
export const managedBy = [notEmpty, format, length] as const;
