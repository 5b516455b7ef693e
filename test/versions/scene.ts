// One installation on a database of its own, whose servers are of different versions, and everything that goes on before them.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Monitor } from '#src/monitors/contract.ts';
import { startEmbedded } from '#src/platform/db/embedded.ts';
import { hashToken } from '#src/platform/secrets.ts';
import type { Client } from '../harness/client.ts';
import { makeClient, signIn } from '../harness/client.ts';
import { quickFolder, silent } from '../harness/cluster.ts';
import { tocsin } from '../harness/command.ts';
import { ADMIN, type Installation, startInstallation } from '../harness/installation.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { type Backend, type Front, startFront } from './front.ts';

const REGION = 'load';
const STEADY = 40;
const FLAPPING = 6;

export type RunningServer = Backend & { installation: Installation };

export type Scene = {
  front: Front;
  receiver: Receiver;
  alice: Client;
  orgId: string;
  projectId: string;
  token: string;
  steady: Monitor[];
  flapping: Monitor[];
  /** Starts a server of a version and passes requests to it. */
  start: (name: string, checkout?: string) => Promise<RunningServer>;
  /** Takes a server out of the front, and stops it once it has answered everything; resolves with its exit code. */
  takeAway: (server: RunningServer) => Promise<number | null>;
  /** A command of this version on the database. */
  command: (words: readonly string[]) => ReturnType<typeof tocsin>;
  query: <T extends pg.QueryResultRow>(text: string) => Promise<T[]>;
};

/** Starts the database, the front and a first server; everything ends with the stack. */
export async function startScene(
  stack: AsyncDisposableStack,
  first: { name: string; checkout: string },
): Promise<Scene & { first: RunningServer }> {
  const dataDir = await mkdtemp(join(await quickFolder(), 'tocsin-versions-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = await startEmbedded({ dataDir, log: silent, settings: { max_connections: '200' } });
  stack.defer(() => database.stop());
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    LOCAL_PROBE: 'off',
    RATE_LIMITS: 'off',
  };
  const front = stack.use(await startFront());
  const receiver = await startReceiver();
  stack.defer(() => receiver.stop());

  const start: Scene['start'] = async (name, checkout) => {
    const installation = await startInstallation({
      dataDir: await mkdtemp(join(tmpdir(), 'tocsin-version-data-')),
      env,
      ...(checkout === undefined ? {} : { checkout }),
    });
    stack.defer(() => installation.remove());
    const server = { name, url: installation.url, installation };
    front.add(server);
    return server;
  };
  const query: Scene['query'] = async <T extends pg.QueryResultRow>(text: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const firstServer = await start(first.name, first.checkout);
  const alice = makeClient(front.url);
  await signIn(alice, ADMIN.email, ADMIN.password);
  const [organization] = await alice.ok<{ id: string }[]>('GET', '/me/organizations');
  const orgId = organization!.id;
  const [project] = await alice.ok<{ id: string }[]>('GET', `/organizations/${orgId}/projects`);
  const projectId = project!.id;
  const { secret } = await alice.ok<{ secret: string }>('POST', `/organizations/${orgId}/webhooks`, {
    name: 'Receiver',
    kind: 'webhook',
    url: receiver.url,
    events: ['opened', 'resolved'],
  });
  receiver.trust(secret);
  const token = `tcp_${randomBytes(32).toString('base64url')}`;
  await query(
    `WITH region AS (INSERT INTO regions (slug, name, allow_private_targets, created_at)
       VALUES ('${REGION}', 'Load', true, now()) RETURNING no)
     INSERT INTO probe_tokens (hash, region_no, created_at)
       SELECT '\\x${hashToken(token).toString('hex')}', no, now() FROM region`,
  );
  const monitor = (name: string) =>
    alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
      name,
      type: 'http',
      interval_seconds: 60,
      config: { url: 'http://127.0.0.1:9/' },
      regions: [REGION],
    });
  const made = async (howMany: number, name: string) => {
    const list: Monitor[] = [];
    for (let i = 0; i < howMany; i++) list.push(await monitor(`${name} ${i}`));
    return list;
  };
  return {
    front,
    receiver,
    alice,
    orgId,
    projectId,
    token,
    steady: await made(STEADY, 'Steady'),
    flapping: await made(FLAPPING, 'Flapping'),
    start,
    async takeAway(server) {
      await front.drain(server);
      return server.installation.interrupt();
    },
    command: (words) => tocsin(join(dataDir, 'command'), words, undefined, env),
    query,
    first: firstServer,
  };
}
