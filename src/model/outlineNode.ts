/**
 * One line of the tree as plain values. The view, the command line and the tests read these; the view adds nothing but
 * VS Code's own types.
 */
export interface OutlineNode {
  /** Stable as long as the thing exists, unique in the whole outline: made of cluster, kind and UID. */
  readonly id: string;
  readonly kind: 'cluster' | 'namespace' | 'job' | 'mirror' | 'pod' | 'note';
  readonly label: string;
  /** Stands dimmed behind the label: phase, worker, progress. */
  readonly description: string;
  readonly icon: OutlineIcon;
  /** Plain lines, no markup: all that is known, the reason first. */
  readonly tooltip: readonly string[];
  /** What a screen reader says: name, state and place in words. */
  readonly accessibilityLabel: string;
  /** What can be done with the row: the menus are built from these. */
  readonly actions: readonly OutlineAction[];
  readonly children: readonly OutlineNode[];
  readonly isExpanded: boolean;
  /** The object behind the row, for the actions. */
  readonly subject?: OutlineSubject;
}

export interface OutlineIcon {
  /** Name of a codicon. */
  readonly name: string;
  /** Colour of the state; absent where the icon takes the text's. */
  readonly tone?: 'good' | 'bad' | 'busy' | 'waiting' | 'muted';
}

export type OutlineAction = 'retry' | 'log' | 'yaml' | 'name' | 'delete';

export interface OutlineSubject {
  /** '' for the management cluster, else the worker's name. */
  readonly worker: string;
  readonly resource: 'jobs' | 'pods' | 'cluster';
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}
