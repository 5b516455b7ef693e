// PostgreSQL under Patroni with etcd, three nodes on separate machines, and HAProxy in front, as docs/high-availability
// describes.
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { unprivilegedUser } from '#src/platform/db/embedded/run-as.ts';
import { quickFolder } from '#test/harness/cluster.ts';
import { until } from '#test/harness/until.ts';
import {
  etcdConfig,
  haproxyConfig,
  type Machine,
  NODES,
  type Node,
  PASSWORD,
  PORTS,
  patroniConfig,
} from './configuration.ts';
import { startNet } from './net.ts';
import type { Programs } from './packages.ts';
import { type Program, postgresOf, signalPostgres, startProgram } from './processes.ts';

/** The faults of the primary. */
export const FAULTS = {
  kill: 'kill -9 of its postmaster',
  lose: 'kill -9 of everything on its node, as when the machine loses power',
  cut: 'its node is cut off from the other two, and is alive: servers still reach it',
  freeze: 'everything on its node stands still: nothing answers, and no connection ends',
} as const;
export type Fault = keyof typeof FAULTS;

export type HighlyAvailable = {
  /** The database, and one of its replicas, through HAProxy. */
  url: string;
  readUrl: string;
  /** The last output of the programs of the nodes. */
  logs: () => Promise<string>;
  /** The node of the primary; null: unknown. */
  primary: () => Promise<Node | null>;
  strike: (node: Node, fault: Fault) => Promise<void>;
  /** Undoes it, and resolves when both replicas follow the primary, one of them synchronously. */
  heal: (node: Node, fault: Fault) => Promise<void>;
};

const PATIENCE_MS = 180_000;
const ROLE_PASSWORD = 'of-the-siege';

/** Starts all of it in a folder of its own; `stack` ends it, however far it got. */
export async function startHighlyAvailable(
  stack: AsyncDisposableStack,
  programs: Programs,
): Promise<HighlyAvailable> {
  const net = await startNet(stack);
  const { prefix } = net;
  const folder = await mkdtemp(join(await quickFolder(), 'tocsin-failover-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const user = await unprivilegedUser(folder);
  if (user) await chown(folder, user.uid, user.gid);
  const made = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    if (user) await chown(path, user.uid, user.gid);
    return path;
  };
  const ownFolder = async (name: string) => {
    await mkdir(join(folder, name), { mode: 0o700 });
    if (user) await chown(join(folder, name), user.uid, user.gid);
  };
  const run = (name: string, machine: Machine, command: string[]) => {
    if (stack.disposed) throw new Error('the siege is over');
    const env = { ...programs.env, HOME: folder };
    return startProgram(net.on(machine, user, command), { env, log: join(folder, `${name}.log`) });
  };

  const nodes = new Map<Node, { etcd: Program; patroni: Program }>();
  const dataOf = (node: Node) => join(folder, `postgres${node}`);
  const startNode = async (node: Node) => {
    const keep = [programs.etcd, '--config-file', join(folder, `etcd${node}.yml`)];
    const lead = [programs.python, '-m', 'patroni', join(folder, `patroni${node}.yml`)];
    const etcd = await run(`etcd${node}`, node, keep);
    nodes.set(node, { etcd, patroni: await run(`patroni${node}`, node, lead) });
  };
  stack.defer(async () => {
    for (const { patroni, etcd } of nodes.values()) await Promise.all([patroni.end(), etcd.end()]);
    for (const node of NODES) signalPostgres(dataOf(node), 'SIGKILL');
    await until(() => NODES.every((node) => postgresOf(dataOf(node)).length === 0), 'PostgreSQL has ended');
  });
  for (const node of NODES) {
    await ownFolder(`etcd${node}`);
    await ownFolder(`postgres${node}`);
    await ownFolder(`sockets${node}`);
    await made(`etcd${node}.yml`, etcdConfig(node, prefix, folder));
    await made(`patroni${node}.yml`, patroniConfig(node, prefix, folder, programs.postgresBin));
    await startNode(node);
  }
  const proxyConfig = await made('haproxy.cfg', haproxyConfig(prefix));
  const proxy = await run('haproxy', 10, [programs.haproxy, '-db', '-f', proxyConfig]);
  stack.defer(() => proxy.end());
  const logs = async () => {
    const names = ['etcd1', 'patroni1', 'patroni2', 'patroni3', 'haproxy'];
    return (await Promise.all(names.map((name) => endOf(join(folder, `${name}.log`))))).join('\n');
  };
  await until(
    () => isWhole(prefix),
    'three nodes, one of them the primary, one synchronous',
    PATIENCE_MS,
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await logs()}`);
  });

  const at = (port: number, role: string, database: string) =>
    `postgres://${role}@${prefix}.10:${port}/${database}`;
  await until(
    () =>
      ask(at(PORTS.primary, `postgres:${PASSWORD}`, 'postgres'), 'SELECT 1').then(
        () => true,
        () => false,
      ),
    'HAProxy knows the primary',
  );
  const admin = at(PORTS.primary, `postgres:${PASSWORD}`, 'postgres');
  await ask(admin, `CREATE ROLE tocsin LOGIN PASSWORD '${ROLE_PASSWORD}'`);
  await ask(admin, 'CREATE DATABASE tocsin OWNER tocsin');
  return {
    url: at(PORTS.primary, `tocsin:${ROLE_PASSWORD}`, 'tocsin'),
    readUrl: at(PORTS.replica, `tocsin:${ROLE_PASSWORD}`, 'tocsin'),
    logs,
    primary: () => primaryOf(prefix),
    async strike(node, fault) {
      if (fault === 'cut') return net.cut(node);
      const { etcd, patroni } = nodes.get(node) ?? fail(node);
      const [postmaster] = postgresOf(dataOf(node));
      const signal = fault === 'freeze' ? 'SIGSTOP' : 'SIGKILL';
      if (fault !== 'kill') patroni.signal(signal);
      if (fault === 'lose' || fault === 'freeze') etcd.signal(signal);
      if (fault === 'kill' && postmaster !== undefined) process.kill(postmaster, signal);
      if (fault === 'lose' || fault === 'freeze') signalPostgres(dataOf(node), signal);
    },
    async heal(node, fault) {
      const { etcd, patroni } = nodes.get(node) ?? fail(node);
      if (fault === 'cut') await net.mend(node);
      if (fault === 'lose' || fault === 'freeze') {
        // A machine that stood still is reset.
        await Promise.all([etcd.end(), patroni.end()]);
        signalPostgres(dataOf(node), 'SIGKILL');
        await until(() => postgresOf(dataOf(node)).length === 0, 'PostgreSQL has ended');
        await startNode(node);
      }
      await until(() => isWhole(prefix), `node ${node} is back`, PATIENCE_MS).catch(async (error: Error) => {
        throw new Error(`${error.message}\n${JSON.stringify(await membersOf(prefix))}\n${await logs()}`);
      });
    },
  };
}

/** The failures in a log, and its last lines. */
async function endOf(path: string): Promise<string> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  const failures = lines.filter((line) => /FATAL|ERROR|Error/.test(line)).slice(-12);
  return [path, ...failures, '…', ...lines.slice(-8)].join('\n');
}

/** As Patroni tells it; `lag`: bytes of WAL that a replica has not received yet. */
type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | 'unknown' };

/** A replica that follows is behind by less than this under any load here: a second's WAL is a tenth of it. */
const FOLLOWS_WITHIN_BYTES = 64 * 1024 * 1024;

/** The view that most nodes share; nothing if they disagree. */
async function membersOf(prefix: string): Promise<Member[]> {
  const answers = await Promise.all(
    NODES.map((node) =>
      fetch(`http://${prefix}.${node}:${PORTS.patroni}/cluster`, { signal: AbortSignal.timeout(1_000) })
        .then(async (answer) => (answer.ok ? ((await answer.json()) as { members: Member[] }).members : []))
        .catch((): Member[] => []),
    ),
  );
  const leaderOf = (members: Member[]) => members.find(({ role }) => role === 'leader')?.name;
  const agree = (members: Member[]) => answers.filter((each) => leaderOf(each) === leaderOf(members)).length;
  return (
    answers.find((members) => leaderOf(members) !== undefined && agree(members) > NODES.length / 2) ?? []
  );
}

/** Three nodes are up, one of them as the synchronous replica, and both replicas follow the primary. */
async function isWhole(prefix: string): Promise<boolean> {
  const members = await membersOf(prefix);
  const leader = members.find(({ role }) => role === 'leader');
  const following = members.filter(
    ({ role, state, timeline, lag }) =>
      role !== 'leader' &&
      (state === 'running' || state === 'streaming') &&
      timeline === leader?.timeline &&
      typeof lag === 'number' &&
      lag < FOLLOWS_WITHIN_BYTES,
  );
  const hasSynchronous = following.some(({ role }) => role === 'sync_standby');
  return leader?.state === 'running' && hasSynchronous && following.length === NODES.length - 1;
}

async function primaryOf(prefix: string): Promise<Node | null> {
  const leader = (await membersOf(prefix)).find(({ role }) => role === 'leader');
  return NODES.find((node) => leader?.name === `node${node}`) ?? null;
}

const fail = (node: Node): never => {
  throw new Error(`node ${node} was never started`);
};

/** One statement over a connection of its own. */
export async function ask<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}
