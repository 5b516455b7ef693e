// A real primary with a real streaming replica: two separate clusters. The bundled PostgreSQL has no pg_basebackup, so this
// does the same by hand, with the functions that it uses.
import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type EmbeddedDatabase, startEmbedded } from '#src/platform/db/embedded.ts';
import { kill, postgresProcesses } from './bundled-postgres.ts';
import { databaseUrl, quickFolder, silent, startTestCluster, TEMPLATE, UNSAFE } from './cluster.ts';

export type Replicated = AsyncDisposable & {
  /** The migrated database on the primary, and the same on the replica. */
  url: string;
  replicaUrl: string;
  /** Runs a statement there as the owner of everything. */
  onPrimary: <Row>(statement: string) => Promise<Row[]>;
  onReplica: <Row>(statement: string) => Promise<Row[]>;
  /** Resolves once the replica has replayed everything on the primary. */
  caughtUp: () => Promise<void>;
  /** Suspends the processes of the replica (SIGSTOP), or continues them. */
  freeze: () => Promise<void>;
  thaw: () => Promise<void>;
};

const run = promisify(execFile);
const DATABASE = 'replicated';
/** A replica must allow at least as many as its primary. */
const REPLICATION = { wal_level: 'replica', max_wal_senders: '4', synchronous_commit: 'local' };

export async function startReplicated(): Promise<Replicated> {
  const stack = new AsyncDisposableStack();
  try {
    const primary = await startTestCluster(REPLICATION);
    stack.defer(() => primary.stop());
    await query(primary.url, `CREATE DATABASE ${DATABASE} TEMPLATE ${TEMPLATE}`);
    const dataDir = await mkdtemp(join(await quickFolder(), 'tocsin-test-replica-'));
    stack.defer(() => rm(dataDir, { recursive: true, force: true }));
    await copyRunning(primary, join(dataDir, 'postgres'));
    const socketDir = decodeURIComponent(new URL(primary.url).hostname);
    const replica: EmbeddedDatabase = await startEmbedded({
      dataDir,
      log: silent,
      settings: { ...UNSAFE, ...REPLICATION, primary_conninfo: `host=${socketDir} user=tocsin` },
    });
    let frozen: number[] = [];
    const thaw = async () => {
      for (const pid of frozen.toReversed()) kill(pid, 'SIGCONT');
      frozen = [];
    };
    stack.defer(() => replica.stop());
    stack.defer(thaw);
    const [url, replicaUrl] = [primary, replica].map((each) => databaseUrl(each.url, DATABASE)) as [
      string,
      string,
    ];
    return {
      ...{ url, replicaUrl, thaw },
      onPrimary: (statement) => query(url, statement),
      onReplica: (statement) => query(replicaUrl, statement),
      async caughtUp() {
        // With this one, earlier commits that nobody waited for reach the disk.
        const written = `SELECT pg_logical_emit_message(true, 'test', '')`;
        await query(url, written);
        const now = 'SELECT pg_current_wal_insert_lsn() AS lsn';
        const [{ lsn } = { lsn: '' }] = await query<{ lsn: string }>(url, now);
        const replayed = `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS met, pg_sleep(0.01)`;
        while (!(await query<{ met: boolean }>(replicaUrl, replayed))[0]?.met);
      },
      async freeze() {
        frozen = await postgresProcesses(dataDir);
        for (const pid of frozen) kill(pid, 'SIGSTOP');
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** A base backup: a copy of the files of a running cluster, with the label that gives the start of the replay. */
async function copyRunning(primary: { url: string; dataDir: string }, into: string): Promise<void> {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('test', true)");
    // A backup does not need files that disappear meanwhile.
    await run('cp', ['-a', join(primary.dataDir, 'postgres'), into]).catch(() => undefined);
    for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(into, name), { force: true });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    const { uid, gid } = await stat(into);
    for (const [name, text] of Object.entries({
      backup_label: rows[0]?.labelfile ?? '',
      'standby.signal': '',
    })) {
      await writeFile(join(into, name), text);
      await chown(join(into, name), uid, gid);
    }
  } finally {
    await client.end();
  }
}

async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}
