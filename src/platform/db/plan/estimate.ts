// Combines the findings of a rehearsal with the sizes of the real tables: the plan (docs/rules/upgrades.md#the-plan).
import { type DryRun, LOCK_MODES, type LockMode, type Work } from './dry-run.ts';
import type { Size } from './sizes.ts';

/** The operations on a table that others must wait with while a lock is held. */
export type Blocked = 'reads and writes' | 'writes' | 'nothing';

export type PlannedStep = { line: number; work: Work; seconds: number };
export type PlannedTable = {
  table: string;
  rows: number;
  /** On disk, without indexes. */
  bytes: number;
  lock: LockMode;
  blocked: Blocked;
  /** None: only the catalogue changes. */
  steps: PlannedStep[];
};
export type Plan = {
  migrations: { name: string; tables: PlannedTable[]; seconds: number }[];
  /** Of all migrations together. */
  seconds: number;
  /** Each table that others cannot fully use, longest first, with the seconds from its lock to the end of all migrations. */
  held: { table: string; lock: LockMode; blocked: Blocked; seconds: number }[];
};

/**
 * Per second, on an ordinary disk: bytes of a table that is read, indexed, or rewritten with its indexes; rows that are
 * changed.
 */
const PACE: Record<Work, number> = { scan: 150e6, index: 40e6, rewrite: 25e6, change: 20_000 };
const UNKNOWN: Size = { rows: 0, bytes: 0, indexBytes: 0 };

/** The plan. Seconds are rough whole numbers: below half a second they are 0. */
export function planOf(findings: readonly DryRun[], sizes: ReadonlyMap<string, Size>): Plan {
  const migrations = findings.map(({ name, tables }) => {
    const planned = tables.map(({ table, lock, steps }) => {
      const size = sizes.get(table) ?? UNKNOWN;
      return {
        table,
        rows: Math.round(size.rows),
        bytes: size.bytes,
        lock,
        blocked: blockedBy(lock),
        steps: steps.map(({ line, work }) => ({ line, work, seconds: secondsOf(work, size) })),
      };
    });
    const steps = planned.flatMap((table) => table.steps);
    return { name, tables: planned, seconds: steps.reduce((sum, step) => sum + step.seconds, 0) };
  });
  return {
    migrations,
    seconds: migrations.reduce((sum, { seconds }) => sum + seconds, 0),
    held: heldLocks(migrations),
  };
}

/** All are applied in one transaction: a lock is held from the migration that takes it to the end of the last one. */
function heldLocks(migrations: Plan['migrations']): Plan['held'] {
  const held = new Map<string, Plan['held'][number]>();
  let rest = migrations.reduce((sum, { seconds }) => sum + seconds, 0);
  for (const { tables, seconds } of migrations) {
    for (const { table, lock, blocked } of tables) {
      const other = held.get(table);
      const stronger = !other || LOCK_MODES.indexOf(other.lock) < LOCK_MODES.indexOf(lock);
      if (blocked !== 'nothing' && stronger)
        held.set(table, { table, lock, blocked, seconds: other?.seconds ?? rest });
    }
    rest -= seconds;
  }
  return [...held.values()].sort((a, b) => b.seconds - a.seconds || a.table.localeCompare(b.table));
}

function secondsOf(work: Work, { rows, bytes, indexBytes }: Size): number {
  if (work === 'change') return Math.round(rows / PACE.change);
  return Math.round((work === 'rewrite' ? bytes + indexBytes : bytes) / PACE[work]);
}

const blockedBy = (lock: LockMode): Blocked => {
  if (lock === 'ACCESS EXCLUSIVE') return 'reads and writes';
  return ['SHARE', 'SHARE ROW EXCLUSIVE', 'EXCLUSIVE'].includes(lock) ? 'writes' : 'nothing';
};
