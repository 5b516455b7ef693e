// The installation under test: a real `tocsin serve` on a temporary folder, with access to its database for creating many
// monitors quickly, by the same code that the API runs.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { reassign } from '../src/monitors/assignments.ts';
import type { MonitorCreate } from '../src/monitors/contract.ts';
import { createMonitor } from '../src/monitors/create.ts';
import { type DatabasePool, openPool } from '../src/platform/db/pool.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecretKey } from '../src/platform/secret-key-file.ts';
import { openVault } from '../src/platform/secrets.ts';
import { runWork, SYSTEM } from '../src/platform/work.ts';
import { bundledToken } from '../src/regions/bundled-token.ts';
import type { Client } from '../test/harness/client.ts';
import { type Installation, startInstallation } from '../test/harness/installation.ts';
import type { Context } from './figure.ts';
import { type Processes, processesOf } from './processes.ts';

export type Made = { id: string; no: number };
export type Place = { orgId: string; projectId: string };

export type Subject = {
  installation: Installation;
  url: string;
  admin: Client;
  orgId: string;
  projectId: string;
  /** The bundled probe's token: a load generator may report for the region `local` too. */
  probeToken: string;
  database: DatabasePool;
  databaseUrl: string;
  secretKey: string;
  processes: () => Processes;
  /** Creates monitors, in the first organization unless given; `body(i)` has the differences from one to the next. */
  addMonitors: (
    howMany: number,
    body: (i: number) => Omit<MonitorCreate, 'name' | 'type'> & { type?: string },
    place?: Place,
  ) => Promise<Made[]>;
  /** Creates an organization with a project. */
  addOrganization: (name: string) => Promise<Place>;
  /** Enables monitors: from then on probes check them. */
  enable: (made: readonly Made[], intervalSeconds: number) => Promise<void>;
};

const AT_ONCE = 200;

/** Starts an installation and signs in; ended and removed with the benchmark. */
export async function startSubject(context: Context, env: Record<string, string> = {}): Promise<Subject> {
  context.say('starting an installation');
  const installation = await startInstallation({ env });
  context.hooks.add('installation', async () => {
    // Ctrl-C in a terminal reached it too: a second signal would end it by force.
    const ended = once(installation.process, 'exit');
    if (context.signal.aborted && installation.process.exitCode === null)
      await Promise.race([ended, sleep(2_000)]);
    await installation.remove();
  });
  const admin = await installation.admin();
  const [organization] = await admin.ok<{ id: string }[]>('GET', '/me/organizations');
  const orgId = organization!.id;
  const [project] = await admin.ok<{ id: string }[]>('GET', `/organizations/${orgId}/projects`);
  const projectId = project!.id;

  const databaseUrl = await databaseUrlOf(installation.dataDir);
  const database = openPool({ url: databaseUrl, log: createLog('silent'), size: 4, name: 'bench' });
  context.hooks.add('connections to its database', () => database.close());
  const secretKey = readOrMakeSecretKey(installation.dataDir);
  const options = { vault: openVault(secretKey), allowSingleLabel: false, baseUrl: 'http://127.0.0.1' };
  const { db } = database;
  let made = 0;

  return {
    installation,
    url: installation.url,
    admin,
    orgId,
    projectId,
    probeToken: bundledToken(secretKey, 0),
    database,
    databaseUrl,
    secretKey,
    processes: () => processesOf(installation.process.pid!, installation.dataDir),
    async addOrganization(name) {
      const { id } = await admin.ok<{ id: string }>('POST', '/organizations', { name });
      const path = `/organizations/${id}/projects`;
      const { id: first } = await admin.ok<{ id: string }>('POST', path, { name: 'First' });
      return { orgId: id, projectId: first };
    },
    async addMonitors(howMany, body, place = { orgId, projectId }) {
      if (howMany > 1) context.say(`adding ${howMany} monitors`);
      const ids: string[] = [];
      for (let from = 0; from < howMany; from += AT_ONCE)
        await runWork(db, new Date(), SYSTEM, async (work) => {
          for (let i = from; i < Math.min(howMany, from + AT_ONCE); i++) {
            const whole: MonitorCreate = { name: `Monitor ${made + i}`, type: 'http', ...body(i) };
            ids.push((await createMonitor(work, { ...place, within: null }, whole, options)).id);
          }
        });
      made += howMany;
      const { rows } = await sql<Made>`
        SELECT m.id, m.no FROM unnest(${ids}::text[]) WITH ORDINALITY AS u (id, place) JOIN monitors m USING (id)
        ORDER BY u.place`.execute(db);
      return rows;
    },
    async enable(list, intervalSeconds) {
      const nos = list.map(({ no }) => no);
      await runWork(db, new Date(), SYSTEM, async (work) => {
        await sql`UPDATE monitors SET enabled = true, interval_seconds = ${intervalSeconds}
          WHERE no = ANY(${nos}::int[])`.execute(work.tx);
        for (const monitorNo of nos) reassign(work, { monitorNo, intervalSeconds, sinceMs: null });
      });
    },
  };
}

/** The private socket of the bundled PostgreSQL: the fifth line of its postmaster.pid. */
async function databaseUrlOf(dataDir: string): Promise<string> {
  const lines = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
  return `postgres://tocsin@${encodeURIComponent(lines[4]!.trim())}/postgres`;
}
