// Applies migrations to an empty copy of the schema, and records the locks, scans and rewrites of each.
import type pg from 'pg';
import { type Migration, makeLedger } from '../migrate.ts';
import { kindOf, type Statement, statementsOf } from './statements.ts';

/** Weakest first. */
export const LOCK_MODES = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const;
export type LockMode = (typeof LOCK_MODES)[number];

/** Work that grows with the size of a table: reading it, changing its rows, building an index over it, rewriting it. */
export type Work = 'scan' | 'change' | 'index' | 'rewrite';
export type Step = { line: number; work: Work };

export type DryRun = {
  name: string;
  /**
   * Tables that existed before the first outstanding migration, by their names of that time; partitions count as their parent.
   */
  tables: { table: string; lock: LockMode; steps: Step[] }[];
};

/** The copy as the migrations see it: the oid of each table and partition, with the table that it belongs to. */
type Known = { oids: string[]; tableOf: Map<string, string> };

/**
 * Applies `applied` to the empty database of `client`, then `outstanding`, one transaction each. Throws if one of the
 * outstanding ones fails there. An empty copy has no rows: statements that read or change rows are planned, and count for every
 * table in their plan; work that triggers do for each row is not seen.
 */
export async function dryRun(
  client: pg.Client,
  applied: readonly Migration[],
  outstanding: readonly Migration[],
): Promise<DryRun[]> {
  await makeLedger(client);
  for (const { sql } of applied) await client.query(sql);
  await addPartitions(client);
  const known = await readKnown(client);
  const findings: DryRun[] = [];
  for (const migration of outstanding) findings.push(await dryRunOne(client, migration, known));
  return findings;
}

async function dryRunOne(client: pg.Client, { name, sql }: Migration, known: Known): Promise<DryRun> {
  const steps = new Map<string, Step[]>();
  await client.query('BEGIN');
  let before = await readState(client, known);
  for (const statement of statementsOf(sql)) {
    const { line } = statement;
    const note = (table: string | undefined, work: Work) => {
      if (table === undefined) return;
      const of = steps.get(table) ?? [];
      if (!of.some((step) => step.line === line && step.work === work))
        steps.set(table, [...of, { line, work }]);
    };
    const planned = await tryOut(client, statement).catch((error: Error) => {
      throw new Error(
        `migrations/${name} fails on an empty copy of your database already: ${error.message} (statement in line ` +
          `${line}). Do not upgrade to this version. Nothing was changed.`,
        { cause: error },
      );
    });
    for (const { oid, work } of planned) note(known.tableOf.get(oid), work);
    const after = await readState(client, known);
    for (const [oid, state] of after) {
      const work = workBetween(before.get(oid), state);
      if (work) note(known.tableOf.get(oid), work);
    }
    before = after;
  }
  const locks = await readLocks(client, known);
  await client.query('COMMIT');
  const tables = [...locks].map(([table, lock]) => ({
    table,
    lock,
    steps: withoutLesser(steps.get(table) ?? []),
  }));
  return { name, tables: tables.filter(({ lock, steps: own }) => lock !== 'ACCESS SHARE' || own.length > 0) };
}

/** Runs the statement, and returns the tables in its plan. */
async function tryOut(client: pg.Client, statement: Statement): Promise<{ oid: string; work: Work }[]> {
  const planned = await plannedWork(client, statement);
  await client.query(statement.text);
  return planned;
}

/** A rewrite reads the table and builds its indexes, and so on: only the heaviest work of a statement counts. */
function withoutLesser(steps: readonly Step[]): Step[] {
  const order: Work[] = ['scan', 'change', 'index', 'rewrite'];
  const most = new Map<number, Work>();
  for (const { line, work } of steps) {
    const other = most.get(line);
    if (other === undefined || order.indexOf(other) < order.indexOf(work)) most.set(line, work);
  }
  return [...most].map(([line, work]) => ({ line, work }));
}

/** A partition for each partitioned table: a parent alone has no file that could be rewritten or scanned. */
async function addPartitions(client: pg.Client): Promise<void> {
  await client.query(`DO $$ DECLARE parent regclass; BEGIN
    FOR parent IN SELECT oid FROM pg_class WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %s DEFAULT', 'plan_' || parent::oid, parent);
    END LOOP;
  END $$`);
}

async function readKnown(client: pg.Client): Promise<Known> {
  const { rows } = await client.query<{ oid: string; table: string }>(`
    SELECT c.oid::text AS oid, coalesce(p.relname, c.relname) AS table
    FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'm')`);
  return { oids: rows.map(({ oid }) => oid), tableOf: new Map(rows.map(({ oid, table }) => [oid, table])) };
}

type State = { file: string | null; scans: number; indexes: string[] };

async function readState(client: pg.Client, { oids }: Known): Promise<Map<string, State>> {
  const { rows } = await client.query<State & { oid: string }>(
    `SELECT c.oid::text AS oid, pg_relation_filenode(c.oid)::text AS file,
      (coalesce(x.seq_scan, 0) + coalesce(x.idx_scan, 0))::int AS scans,
      ARRAY(SELECT pg_relation_filenode(indexrelid)::text FROM pg_index
        WHERE indrelid = c.oid AND pg_relation_filenode(indexrelid) IS NOT NULL) AS indexes
    FROM pg_class c LEFT JOIN pg_stat_xact_user_tables x ON x.relid = c.oid WHERE c.oid = ANY ($1::oid[])`,
    [oids],
  );
  return new Map(rows.map(({ oid, ...state }) => [oid, state]));
}

function workBetween(before: State | undefined, after: State): Work | null {
  if (!before) return null;
  if (before.file !== after.file) return 'rewrite';
  if (after.indexes.some((file) => !before.indexes.includes(file))) return 'index';
  return after.scans > before.scans ? 'scan' : null;
}

type PlanNode = { 'Node Type': string; Operation?: string; 'Relation Name'?: string; Plans?: PlanNode[] };

/** Creates a table from rows that it reads elsewhere. */
const COPYING =
  /^CREATE\s+(?:(?:TEMP|TEMPORARY|UNLOGGED)\s+)?(?:TABLE|MATERIALIZED\s+VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?[\w".]+\s+AS\b/i;

/**
 * The tables in the plan of a statement over rows, some of which would never be reached on an empty copy. An insert counts for
 * the tables that it copies from, not for the one it inserts into.
 */
async function plannedWork(client: pg.Client, statement: Statement): Promise<{ oid: string; work: Work }[]> {
  const copies = COPYING.test(statement.text);
  if (!copies && !['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'WITH', 'SELECT'].includes(kindOf(statement)))
    return [];
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (FORMAT JSON) ${statement.text}`,
  );
  const found: { name: string; work: Work }[] = [];
  const walk = (node: PlanNode, inserts: boolean) => {
    const name = node['Relation Name'];
    const isInsert = node.Operation === 'Insert';
    if (name !== undefined && !isInsert)
      found.push({ name, work: inserts || node['Node Type'] === 'ModifyTable' ? 'change' : 'scan' });
    for (const child of node.Plans ?? []) walk(child, inserts || isInsert);
  };
  for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) walk(Plan, copies);
  const named = await client.query<{ name: string; oid: string }>(
    `SELECT relname AS name, oid::text AS oid FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1::text[])`,
    [found.map(({ name }) => name)],
  );
  const oidOf = new Map(named.rows.map(({ name, oid }) => [name, oid]));
  return found.map(({ name, work }) => ({ oid: oidOf.get(name) ?? '', work }));
}

/** The strongest lock on each table that this transaction holds. */
async function readLocks(client: pg.Client, { oids, tableOf }: Known): Promise<Map<string, LockMode>> {
  const { rows } = await client.query<{ oid: string; mode: string }>(
    `SELECT relation::text AS oid, mode FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = ANY ($1::oid[])
     ORDER BY relation`,
    [oids],
  );
  const strongest = new Map<string, LockMode>();
  for (const { oid, mode } of rows) {
    const table = tableOf.get(oid) ?? '';
    const lock = lockMode(mode);
    const other = strongest.get(table);
    if (other === undefined || LOCK_MODES.indexOf(other) < LOCK_MODES.indexOf(lock))
      strongest.set(table, lock);
  }
  return strongest;
}

/** AccessExclusiveLock → ACCESS EXCLUSIVE */
const lockMode = (mode: string) =>
  mode
    .replace(/Lock$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase() as LockMode;
