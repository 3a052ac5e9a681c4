import type * as vscode from 'vscode';
import { type Disposable, DisposableStore, describeError, Emitter, type Log, systemClock } from './base/index.ts';
import type { ClusterLink, LiveMode } from './commands/index.ts';
import {
  ClusterAnswers,
  type DescribeField,
  LiveFindings,
  type ManifestDocuments,
  registerCodeLenses,
} from './editor/index.ts';
import type { ChosenSettings, QueuesOfCluster } from './manifest/index.ts';
import { ClusterQueues, type ClusterSession, FieldDescriptions, LiveObjects } from './session/index.ts';

/**
 * Composition of what editors show of the connected management cluster: what it would refuse as a change, how each Job
 * stands there, what it answered to a dry run. Nothing is asked of any cluster while the window isn't connected.
 */
export interface BesideClusterDeps {
  readonly documents: ManifestDocuments;
  readonly clusters: ClusterSession<ClusterLink>;
  readonly settingsFor: (uri: vscode.Uri) => ChosenSettings;
  readonly liveMode: (uri: vscode.Uri) => LiveMode;
  readonly isLensShown: (uri: vscode.Uri) => boolean;
  readonly log: Log;
}

export interface BesideCluster extends Disposable {
  readonly live: LiveFindings;
  readonly answers: ClusterAnswers;
  /** What the connected cluster itself says of a field. */
  readonly describeField: DescribeField;
  /** What is known of the connected cluster's queues. */
  readonly queues: () => QueuesOfCluster | undefined;
  /** Whether a queue of the connected cluster leads to MultiKueue; undefined where that isn't known. */
  readonly leadsToMultiKueue: (namespace: string, queue: string) => boolean | undefined;
}

export const loadComparing = async () => await import('./parts/comparing.ts');

export function showBesideCluster(deps: BesideClusterDeps): BesideCluster {
  const { documents, clusters, settingsFor, liveMode, isLensShown, log } = deps;
  const onError = (error: unknown): void => log.error('A listener failed.', { error: describeError(error) });
  const owned = new DisposableStore();
  const live = owned.add(
    new LiveFindings({ documents, loadEngine: loadComparing, settingsFor, modeFor: liveMode, clock: systemClock, log }),
  );
  const answers = owned.add(new ClusterAnswers());
  const news = owned.add(new Emitter<void>(onError));
  owned.add(
    registerCodeLenses({
      documents,
      isShown: isLensShown,
      onDidChange: news.event,
      connection: () => connectionOf(clusters.link),
      log,
    }),
  );
  let queues: ClusterQueues | undefined;
  let descriptions: FieldDescriptions | undefined;
  let ofLink = new DisposableStore();
  owned.add({ dispose: () => ofLink.dispose() });
  owned.add(
    clusters.onDidChange(() => {
      ofLink.dispose();
      ofLink = new DisposableStore();
      answers.clear();
      const { link } = clusters;
      live.connect(link && storedObjects(link, ofLink));
      queues = link && watchQueues(link, ofLink);
      descriptions = link && describeFields(link, ofLink);
      if (link !== undefined) ofLink.add(link.onDidChange(() => news.fire()));
      // The cluster tells its version some time after it was connected, and manifests are judged by it.
      let minor = link?.kubernetesMinor();
      ofLink.add(
        news.event(() => {
          if (link?.kubernetesMinor() === minor) return;
          minor = link?.kubernetesMinor();
          documents.checkAll();
        }),
      );
      news.fire();
    }),
  );
  return {
    live,
    answers,
    describeField: async (field) => {
      const text = await descriptions?.describe(field);
      return text === undefined ? undefined : { cluster: clusters.link?.target.management ?? '', text };
    },
    queues: () => {
      const { link } = clusters;
      if (link === undefined || queues === undefined) return undefined;
      return { defaultNamespace: namespaceOf(link), byNamespace: queues.queues };
    },
    leadsToMultiKueue: (namespace, queue) => queues?.leadsToMultiKueue(namespace, queue),
    dispose: () => owned.dispose(),
  };

  function describeFields(link: ClusterLink, until: DisposableStore): FieldDescriptions {
    return until.add(
      new FieldDescriptions({
        read: (apiVersion, signal) => link.readOpenApi(apiVersion, signal),
        clock: systemClock,
        onProblem: (apiVersion, error) =>
          log.debug('The descriptions of fields could not be read.', { apiVersion, error: describeError(error) }),
      }),
    );
  }

  function watchQueues(link: ClusterLink, until: DisposableStore): ClusterQueues {
    const watched = until.add(
      new ClusterQueues({
        read: (signal) => link.readQueues(signal),
        clock: systemClock,
        onProblem: (error) => log.debug('The queues could not be read.', { error: describeError(error) }),
        onError,
      }),
    );
    until.add(
      watched.onDidChange(() => {
        documents.checkAll();
        link.judgeAnew();
      }),
    );
    return watched;
  }

  /** Lives as long as the connection. */
  function storedObjects(link: ClusterLink, until: DisposableStore) {
    const objects = until.add(
      new LiveObjects({
        fetch: (key, signal) => link.readLive(key, signal),
        stampOf: ({ kind, namespace, name }) => (kind === 'Job' ? stampOf(link, namespace, name) : undefined),
        clock: systemClock,
        onProblem: ({ namespace, name }, error) =>
          log.debug('A stored object could not be read.', { namespace, name, error: describeError(error) }),
        onError,
      }),
    );
    until.add(link.onDidChange(() => objects.noteNews()));
    return {
      namespace: namespaceOf(link),
      get: objects.get.bind(objects),
      want: objects.want.bind(objects),
      refresh: objects.refresh.bind(objects),
      onDidChange: objects.onDidChange,
    };
  }
}

/** Changes when the Job becomes another one, or passes on in its life: what may be changed of it depends on both. */
function stampOf(link: ClusterLink, namespace: string, name: string): string | undefined {
  const node = link.nodeNamed(namespace, name);
  return node && `${node.id} ${node.icon.name}`;
}

function connectionOf(link: ClusterLink | undefined) {
  if (link === undefined) return undefined;
  return {
    stateOf: (namespace: string | undefined, name: string) => {
      const node = link.nodeNamed(namespace ?? namespaceOf(link), name);
      return node && { icon: node.icon.name, text: node.description, tooltip: node.tooltip.join('\n') };
    },
  };
}

/** Where an object goes that names no namespace. */
function namespaceOf({ target }: ClusterLink): string {
  return target.namespaces[0] ?? 'default';
}
