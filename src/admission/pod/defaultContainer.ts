import { absentOr, type Completions, completed, eachItem, ifPresent, numberOr, textOr } from './completion.ts';
import { canonicalAmount, canonicalAmounts } from './defaultAmounts.ts';
import { isLatest } from './imageName.ts';
import type {
  Container,
  ContainerPort,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  GrpcAction,
  Handler,
  HttpGetAction,
  HttpHeader,
  Lifecycle,
  ObjectFieldSelector,
  Probe,
  ResourceFieldSelector,
  ResourceRequirements,
} from './types.ts';

/** How a container is completed. Source: Kubernetes 1.35, core v1 defaults. */

/** A field of the pod is read in its v1 shape. */
export const defaultFieldRef = ifPresent<ObjectFieldSelector>({ apiVersion: textOr('v1') });

/** A resource of a container; an absent divisor is written as zero, which means one. */
export const defaultResourceFieldRef = ifPresent<ResourceFieldSelector>({
  divisor: (divisor) => canonicalAmount(divisor ?? '0'),
});

const httpGet = ifPresent<HttpGetAction>({
  path: textOr('/'),
  scheme: textOr('HTTP'),
  httpHeaders: eachItem<HttpHeader>({ value: absentOr('') }),
});
const grpc = ifPresent<GrpcAction>({ service: absentOr('') });

const probe = ifPresent<Probe>({
  timeoutSeconds: numberOr(1),
  periodSeconds: numberOr(10),
  successThreshold: numberOr(1),
  failureThreshold: numberOr(3),
  httpGet,
  grpc,
});

/** The server writes zero seconds down. */
const sleep = ifPresent<NonNullable<Handler['sleep']>>({ seconds: absentOr(0) });
const hook = ifPresent<Handler>({ httpGet, sleep });

const env = eachItem<EnvVar>({
  valueFrom: ifPresent<EnvVarSource>({
    fieldRef: defaultFieldRef,
    resourceFieldRef: defaultResourceFieldRef,
    fileKeyRef: ifPresent<FileKeySelector>({ optional: absentOr(false) }),
  }),
});

const requirements: Completions<ResourceRequirements> = { limits: canonicalAmounts, requests: canonicalAmounts };

const container: Completions<Container> = {
  imagePullPolicy: (policy, { image = '' }) => policy || (isLatest(image) ? 'Always' : 'IfNotPresent'),
  terminationMessagePath: textOr('/dev/termination-log'),
  terminationMessagePolicy: textOr('File'),
  ports: eachItem<ContainerPort>({ protocol: textOr('TCP') }),
  env,
  // The server writes this one down even if it is empty.
  resources: (resources = {}) => completed<ResourceRequirements>(resources, requirements),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: ifPresent<Lifecycle>({ postStart: hook, preStop: hook }),
};

/** Containers of any of the three lists, completed. */
export const defaultContainers = eachItem<Container>(container);
