import { describeError } from '../base/index.ts';
import { KubeError } from './errors.ts';

/** A failure in a person's words: what happened, and what to do about it. */
export interface Explanation {
  readonly what: string;
  readonly remedy: string;
}

/**
 * One message for each kind of failure, naming the cluster and what was being done. Tree, command line and editor all
 * take theirs from here.
 */
export function explainKubeError(error: unknown): Explanation {
  if (!(error instanceof KubeError)) {
    const text = describeError(error);
    return { what: `Unexpected error: ${text}`, remedy: 'Report it together with the log.' };
  }
  const { what, remedy } = wordsFor(error);
  const ended = what.trim().replace(/[.:]+$/, '');
  // File, place and remedy are known to whoever read the kubeconfig; no request was on its way.
  if (error.kind === 'kubeconfig' && error.remedy !== undefined) return { what: ended, remedy: error.remedy };
  return {
    what: `${ended} (cluster ${error.contextName}, while trying to ${describePurpose(error.request)})`,
    remedy: error.remedy ?? remedy,
  };
}

/** What a request was for: `PUT /apis/batch/v1/namespaces/a/jobs/b/status` → `write the status of job "b" in "a"`. */
export function describePurpose(request: string): string {
  const parsed =
    /^([A-Z]+) \/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/([^/?]+)(?=\/))?\/([^/?]+)(?:\/([^/?]+))?(?:\/([^/?]+))?(\?watch)?/.exec(
      request,
    );
  if (parsed === null) {
    if (request.startsWith('GET /version')) return 'ask for its version';
    return request;
  }
  const [, method = '', namespace, plural = '', name, subresource, isWatch] = parsed;
  const where = namespace === undefined ? '' : ` in namespace "${decodeURIComponent(namespace)}"`;
  if (plural === 'selfsubjectaccessreviews') return 'ask what this login may do';
  if (name === undefined) {
    if (method === 'POST') return `create a ${singular(plural)}${where}`;
    const scope = namespace === undefined ? ' in all namespaces' : where;
    return `${isWatch ? 'watch' : 'list'} the ${plural}${scope}`;
  }
  const object = `${singular(plural)} "${decodeURIComponent(name)}"${where}`;
  if (subresource === 'log') return `read the log of ${object}`;
  const part = subresource === undefined ? '' : `the ${subresource} of `;
  return `${verbs[method] ?? method} ${part}${object}`;
}

const verbs: Readonly<Record<string, string>> = { GET: 'read', PUT: 'write', PATCH: 'change', DELETE: 'delete' };

function singular(plural: string): string {
  return plural.replace(/ies$/, 'y').replace(/s$/, '');
}

function wordsFor(error: KubeError): Explanation {
  const { message } = error;
  switch (error.kind) {
    case 'unauthorized':
      return {
        what: 'The cluster does not accept the login: it has expired, or there is none',
        remedy: 'Log in again (for example by any kubectl command with this context), then retry.',
      };
    case 'forbidden':
      return {
        what: `This login is not allowed to do that: ${message}`,
        remedy: 'Ask an administrator of the cluster for this right, or choose a namespace where you have it.',
      };
    case 'quota-exceeded':
      return {
        what: `A quota of the namespace stands against it: ${message}`,
        remedy: 'Wait until other work has finished, ask for less, or have the ResourceQuota raised.',
      };
    case 'admission-denied':
      return {
        what: `A policy of the cluster refuses it: ${message}`,
        remedy: 'Change the manifest so that it satisfies the policy; the text says which.',
      };
    case 'not-found':
      return { what: `It does not exist: ${message}`, remedy: 'It may have been deleted meanwhile; look again.' };
    case 'not-served':
      return {
        what: 'The cluster does not know this kind of object',
        remedy: 'Install its custom resource definition, or use another cluster.',
      };
    case 'namespace-missing':
      return {
        what: `The namespace is missing or being deleted: ${message}`,
        remedy: 'Create the namespace on that cluster, or use another one.',
      };
    case 'already-exists':
      return {
        what: `There is one with this name already: ${message}`,
        remedy: 'Choose another name, or delete that one.',
      };
    case 'conflict':
      return { what: 'Somebody changed the object in the meantime', remedy: 'Nothing: it is read again and retried.' };
    case 'gone':
      return {
        what: 'The cluster no longer has the history that was asked for',
        remedy: 'Nothing: the list is read anew.',
      };
    case 'invalid':
      return { what: `The API server refuses the object: ${message}`, remedy: 'Correct the fields that it names.' };
    case 'bad-request':
      return {
        what: `The API server does not understand the request: ${message}`,
        remedy: 'Check that the cluster is Kubernetes 1.32 or newer; otherwise report it.',
      };
    case 'too-large':
      return { what: `The object is too large: ${message}`, remedy: 'Make it smaller; etcd takes about 1.5 MB.' };
    case 'too-many-requests':
      return {
        what: 'The cluster is overloaded and asks for a pause',
        remedy: 'Nothing: it is retried after the pause.',
      };
    case 'server-error':
      return {
        what: `The API server failed: ${message}`,
        remedy: 'It is retried. If it lasts, look at the state of the control plane.',
      };
    case 'timeout':
      return { what: 'The cluster did not answer in time', remedy: 'Check the network and the VPN; it is retried.' };
    case 'unreachable':
      return explainUnreachable(error);
    case 'certificate':
      return explainCertificate(error);
    case 'kubeconfig':
      return {
        what:
          error.remedy === undefined
            ? `A certificate, key or token of the kubeconfig can't be used: ${message}`
            : message,
        remedy: "Correct the kubeconfig; 'kubectl config view' shows it.",
      };
    case 'credentials':
      return {
        what: message,
        remedy:
          "Correct the user's entry in the kubeconfig ('kubectl config view' shows it), or log in again; then retry.",
      };
    case 'bad-answer':
      return {
        what: `What answered is not a Kubernetes API server, or something between changed its answer: ${message}`,
        remedy: 'Check `server` in the kubeconfig, and proxies or login pages on the way.',
      };
  }
}

function explainUnreachable({ reason, message }: KubeError): Explanation {
  switch (reason) {
    case 'ECONNREFUSED':
      return {
        what: `Nothing answers at its address: ${message}`,
        remedy: 'Start the cluster, or correct `server` in the kubeconfig.',
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        what: `Its host name can't be resolved: ${message}`,
        remedy: 'Connect to the network or VPN that knows the name, or correct `server`.',
      };
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return {
        what: `There is no way to its address: ${message}`,
        remedy: 'Connect to the network or VPN that leads there.',
      };
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'EPROTO':
      return { what: 'Its port does not speak TLS', remedy: 'Write http:// in `server`, or name the right port.' };
    default:
      return {
        what: `The connection broke: ${message}`,
        remedy: 'It is retried. Check the network, the VPN and proxies.',
      };
  }
}

function explainCertificate({ reason, message }: KubeError): Explanation {
  switch (reason) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return {
        what: "The server's certificate is not valid today",
        remedy: "Renew the cluster's certificates; check this machine's clock.",
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        what: `The server's certificate is for another name: ${message}`,
        remedy: 'Use a name that it lists, or set `tls-server-name` in the kubeconfig.',
      };
    default:
      return {
        // Behind the semicolon stands advice for people who start Node by hand.
        what: `The server's certificate is not trusted: ${message.replace(/; if the root CA.*$/s, '')}`,
        remedy: 'Put the CA that signed it into `certificate-authority-data` of the cluster in the kubeconfig.',
      };
  }
}
