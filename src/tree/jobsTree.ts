import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../base/index.ts';
import type { OutlineIcon, OutlineNode } from '../model/index.ts';
import type { ClustersHeading } from '../session/index.ts';

/** Where the rows come from; absent outline: not connected, VS Code shows the welcome text. */
export interface OutlineSource {
  readonly outline: () => readonly OutlineNode[];
  /** What stands above the rows. */
  readonly heading: () => ClustersHeading;
  /** A problem in words for people. */
  readonly explain: (error: unknown) => Promise<string>;
  /** Fires when any row, or the heading, may have changed. */
  readonly onDidChange: Event<void>;
}

/**
 * The view of Jobs. Elements are ids, rows are read from the outline as it stands; a change redraws the smallest rows
 * that differ. Dispose the result to take the view away.
 */
export function showJobsTree(
  viewId: string,
  source: OutlineSource,
): Disposable & { readonly row: (id: string) => OutlineNode | undefined } {
  const owned = new DisposableStore();
  const provider = new JobsTree(source);
  owned.add(provider);
  const view = owned.add(vscode.window.createTreeView(viewId, { treeDataProvider: provider, showCollapseAll: true }));
  owned.add(source.onDidChange(() => void showHeading(view, source)));
  return { row: (id) => provider.row(id), dispose: () => owned.dispose() };
}

/** A connection that failed leaves the welcome text; the reason stands above it. */
async function showHeading(view: vscode.TreeView<string>, source: OutlineSource): Promise<void> {
  const { description, problem } = source.heading();
  // Each assignment is a message to the window, and news comes often.
  if (view.description !== description) Object.assign(view, { description });
  const message = problem === undefined ? undefined : await source.explain(problem);
  if (source.heading().problem === problem && view.message !== message) Object.assign(view, { message });
}

class JobsTree implements vscode.TreeDataProvider<string>, Disposable {
  readonly #source: OutlineSource;
  readonly #changed = new vscode.EventEmitter<string[] | undefined>();
  readonly #listening: Disposable;
  #roots: readonly OutlineNode[];
  #nodes: ReadonlyMap<string, OutlineNode>;
  /** The uppermost rows that VS Code has: those that it asked for last. */
  #shown: readonly OutlineNode[];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(source: OutlineSource) {
    this.#source = source;
    this.#roots = source.outline();
    this.#nodes = indexById(this.#roots);
    this.#shown = this.#roots;
    this.#listening = source.onDidChange(() => this.#update());
  }

  getChildren(id?: string): string[] {
    if (id === undefined) this.#shown = this.#roots;
    const nodes = id === undefined ? this.#roots : (this.#nodes.get(id)?.children ?? []);
    return nodes.map((node) => node.id);
  }

  /** The row as it stands now. */
  row(id: string): OutlineNode | undefined {
    return this.#nodes.get(id);
  }

  getTreeItem(id: string): vscode.TreeItem {
    const node = this.#nodes.get(id);
    // VS Code may ask for a row that went away since it was told of it.
    if (node === undefined) return new vscode.TreeItem('');
    return toTreeItem(node);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #update(): void {
    const before = this.#nodes;
    this.#roots = this.#source.outline();
    this.#nodes = indexById(this.#roots);
    // Told until VS Code has asked: of a row that it doesn't have, it would hear nothing.
    if (!isSameOrder(this.#shown, this.#roots)) {
      this.#changed.fire(undefined);
      return;
    }
    const changed: string[] = [];
    for (const node of this.#roots) collectChanged(before, node, changed);
    // An empty array would mean "everything" to some versions of VS Code and hang `reveal` in others.
    if (changed.length > 0) this.#changed.fire(changed);
  }
}

/** The topmost rows below which something differs; what a row shows of itself counts, and the ids of its children. */
function collectChanged(before: ReadonlyMap<string, OutlineNode>, node: OutlineNode, changed: string[]): void {
  const old = before.get(node.id);
  if (old === node) return;
  if (old === undefined || !looksSame(old, node) || !isSameOrder(old.children, node.children)) {
    changed.push(node.id);
    return;
  }
  for (const child of node.children) collectChanged(before, child, changed);
}

function looksSame(a: OutlineNode, b: OutlineNode): boolean {
  const look = ({ label, description, icon, tooltip, accessibilityLabel, actions }: OutlineNode): string =>
    JSON.stringify([label, description, icon, tooltip, accessibilityLabel, actions]);
  return look(a) === look(b);
}

function isSameOrder(a: readonly OutlineNode[], b: readonly OutlineNode[]): boolean {
  return a.length === b.length && a.every((node, index) => node.id === b[index]?.id);
}

function indexById(
  roots: readonly OutlineNode[],
  into = new Map<string, OutlineNode>(),
): ReadonlyMap<string, OutlineNode> {
  for (const node of roots) {
    into.set(node.id, node);
    indexById(node.children, into);
  }
  return into;
}

function toTreeItem(node: OutlineNode): vscode.TreeItem {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const state = node.isExpanded ? Expanded : node.children.length === 0 ? None : Collapsed;
  const item = new vscode.TreeItem(node.label, state);
  item.id = node.id;
  item.description = node.description;
  item.iconPath = toThemeIcon(node.icon);
  item.tooltip = node.tooltip.join('\n');
  item.accessibilityInformation = { label: node.accessibilityLabel };
  // Words that the menus of package.json look for.
  item.contextValue = [node.kind, ...node.actions].join(' ');
  return item;
}

const toneColors: Readonly<Record<NonNullable<OutlineIcon['tone']>, string>> = {
  good: 'testing.iconPassed',
  bad: 'testing.iconFailed',
  busy: 'charts.blue',
  waiting: 'charts.yellow',
  muted: 'disabledForeground',
};

function toThemeIcon({ name, tone }: OutlineIcon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, tone === undefined ? undefined : new vscode.ThemeColor(toneColors[tone]));
}
