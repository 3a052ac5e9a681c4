import { type LiveModel, mirrorPhaseOf, progressOf, type Row } from '../../model/index.ts';
import type { CommandIo } from '../io.ts';
import { printable } from '../printable.ts';

/** How rows are written. */
export interface RowFormat {
  /** Context of the management cluster, as it stands in each line. */
  readonly management: string;
  readonly format: 'table' | 'json';
}

/** Writes rows as they are, each only if its line differs from the last one that was written for it. */
export class RowPrinter {
  readonly #options: RowFormat;
  readonly #io: CommandIo;
  readonly #last = new Map<string, { readonly line: string; readonly row: Row }>();
  #widths: readonly number[] = [];

  constructor(options: RowFormat, io: CommandIo) {
    this.#options = options;
    this.#io = io;
  }

  async printAll(rows: readonly Row[], isWatching: boolean): Promise<void> {
    if (this.#options.format === 'table') {
      if (rows.length === 0 && !isWatching) this.#io.stderr('No Jobs found.');
      const cells = [tableHead, ...rows.map(tableCells)];
      this.#widths = tableHead.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
      if (rows.length > 0 || isWatching) await this.#io.stdout(this.#tableLine(tableHead));
    }
    for (const row of rows) await this.#print(row);
  }

  async printChanges(model: LiveModel, ids: ReadonlySet<string> | 'all'): Promise<void> {
    const affected = ids === 'all' ? new Set([...this.#last.keys(), ...[...model.entries()].map(({ id }) => id)]) : ids;
    for (const id of affected) {
      const row = model.row(id);
      if (row === undefined) await this.#printRemoval(id);
      else await this.#print(row);
    }
  }

  async #print(row: Row): Promise<void> {
    const line =
      this.#options.format === 'json'
        ? `${JSON.stringify(jsonRow(row, this.#options))}\n`
        : this.#tableLine(tableCells(row));
    if (this.#last.get(row.id)?.line === line) return;
    this.#last.set(row.id, { line, row });
    await this.#io.stdout(line);
  }

  async #printRemoval(id: string): Promise<void> {
    const last = this.#last.get(id);
    if (last === undefined) return;
    this.#last.delete(id);
    const { namespace, name, uid } = last.row.job;
    if (this.#options.format === 'json') {
      const removed = { cluster: this.#options.management, namespace, name, uid };
      await this.#io.stdout(`${JSON.stringify({ removed })}\n`);
    } else {
      await this.#io.stdout(this.#tableLine([namespace, name, 'Removed', '', '', '']));
    }
  }

  #tableLine(cells: readonly string[]): string {
    const padded = cells.map((cell, column) => cell.padEnd(this.#widths[column] ?? 0));
    return `${printable(padded.join('  ').trimEnd())}\n`;
  }
}

const tableHead = ['NAMESPACE', 'NAME', 'PHASE', 'WORKER', 'PROGRESS', 'REASON'];

function tableCells(row: Row): string[] {
  const { job, phase, worker, counts, reason, isStale } = row;
  const remedy = reason.level === 'attention' ? ` ${reason.remedy}` : '';
  return [
    job.namespace,
    job.name,
    isStale ? `${phase} (stale)` : phase,
    worker ?? '-',
    progressOf(counts) || '-',
    `${reason.text}${remedy}`.replace(/\s+/g, ' ') || '-',
  ];
}

/** The fields are a contract (README, command line): added to freely, never renamed. */
function jsonRow(row: Row, { management }: RowFormat): object {
  const { job, phase, reason, worker, counts, since, isStale, mirrors } = row;
  const [mirror] = mirrors;
  return {
    cluster: management,
    namespace: job.namespace,
    name: job.name,
    uid: job.uid,
    managedBy: row.situation.job === undefined ? null : (job.managedBy ?? null),
    phase,
    reason: reason.text,
    reasonCode: reason.code,
    level: reason.level,
    remedy: reason.remedy,
    worker: worker ?? null,
    mirror:
      mirror === undefined
        ? null
        : {
            name: mirror.job.name,
            uid: mirror.job.uid,
            phase: mirrorPhaseOf(mirror),
            worker: mirror.worker,
            pods: mirror.pods.map(({ name, phase: podPhase, trouble }) => ({
              name,
              phase: podPhase,
              trouble: trouble?.reason ?? null,
            })),
          },
    active: counts.active ?? 0,
    succeeded: counts.succeeded ?? 0,
    failed: counts.failed ?? 0,
    completions: job.completions ?? null,
    suspended: job.isSuspended ?? false,
    queue: job.queueName ?? null,
    since: since === 0 ? null : new Date(since).toISOString().replace('.000Z', 'Z'),
    stale: isStale,
  };
}
