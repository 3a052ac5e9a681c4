/** What the validators found, gathered so that it can be told in the order of the document. */

/** A place in the document at which, or below which, something is wrong. */
export interface FaultNode {
  /** The value here has the wrong type. */
  isWrong: boolean;
  /** Keys here that the API doesn't know. */
  readonly unknown: Set<string>;
  readonly children: Map<string, FaultNode>;
}

/** The validators' `this`. They go through a struct in the schema's order, so the faults come in no useful order. */
export class FaultCollector {
  /** The bit of the minor that is judged for. */
  readonly minor: number;
  root: FaultNode | undefined;

  constructor(minor: number) {
    this.minor = minor;
  }

  /** The value at a JSON pointer has the wrong type. */
  wrong(pointer: string): void {
    this.#nodeAt(pointer).isWrong = true;
  }

  /** The object at a JSON pointer has a key that the API doesn't know. */
  unknown(pointer: string, key: string): void {
    this.#nodeAt(pointer).unknown.add(key);
  }

  #nodeAt(pointer: string): FaultNode {
    this.root ??= emptyNode();
    let node = this.root;
    for (const step of pointer.split('/').slice(1)) {
      const key = step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
      let child = node.children.get(key);
      if (!child) {
        child = emptyNode();
        node.children.set(key, child);
      }
      node = child;
    }
    return node;
  }
}

function emptyNode(): FaultNode {
  return { isWrong: false, unknown: new Set(), children: new Map() };
}
