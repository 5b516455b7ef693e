// The application in the test's own process: on a database of its own, with a clock that only the test moves, people
// to act with and probes that report what the test says. No dashboard, no probe process.

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { createUser } from '#src/accounts/create-user.ts';
import { evaluateSilentAgents } from '#src/agents/silence.ts';
import { startApp } from '#src/app.ts';
import { loadConfig } from '#src/config/config.ts';
import type { ServerRole } from '#src/domain/names.ts';
import { evaluateDue, watchTurn } from '#src/heartbeats/loop.ts';
import { taskList } from '#src/jobs.ts';
import { type DeliveryWorker, makeDeliveryWorker } from '#src/notifications/deliver.ts';
import { makeSend } from '#src/notifications/delivery/send.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { openVault, type Vault } from '#src/platform/secrets.ts';
import { type Database, runWork, SYSTEM } from '#src/platform/work.ts';
import { saveProbeToken } from '#src/regions/tokens.ts';
import { makeEnsureDays } from '#src/series/days.ts';
import { audit, keepPartitions } from '#src/server/job-auditor.ts';
import type { App } from '#src/server/runtime.ts';
import { operatorAddresses } from '#src/server/webhook-addresses.ts';
import { sendDueNotices } from '#src/user-notifications/sender.ts';
import type { AppOptions } from './app-options.ts';
import { type Client, makeClient, provingAgain } from './client.ts';
import { silent } from './cluster.ts';
import { closeAfterTests, freshDatabase } from './database.ts';
import { noticesOf, sendMailedReports, sendMailsOfPages } from './notices-of.ts';
import { hashOnce, openSession, prepareAdmin } from './people.ts';
import { makeProbe, type Probe } from './probe.ts';
import { watchOnce } from './self-monitoring.ts';
import { sweepAfterADay } from './sweep-after-a-day.ts';

export const PASSWORD = 'a long enough password';
export const SECRET_KEY = 'a secret key for tests, long enough to be one';
const ADMIN = { ADMIN_EMAIL: 'alice@example.com', ADMIN_PASSWORD: PASSWORD, ADMIN_ORGANIZATION: 'Example' };
/** No limits by time: tests of limits turn them on. And no name server: nothing listens on that port. */
const QUIET = { PORT: '0', LOG_LEVEL: 'silent', RATE_LIMITS: 'off', DNS_SERVERS: '127.0.0.1:1' };
const ROOM = { ORGANIZATIONS_PER_USER: '1000' };

const ROOMY = { databaseFull: () => false };

/** A clock that stands still until the test moves it. */
export type Clock = { now: () => Date; ms: () => number; advance: (ms: number) => void };

/** Starts at the present whole second: libraries with clocks of their own stay close. */
export function makeClock(): Clock {
  let ms = Math.floor(Date.now() / 1000) * 1000;
  return {
    now: () => new Date(ms),
    ms: () => ms,
    advance: (by) => {
      ms += by;
    },
  };
}

export type Person = Client & { userId: string; email: string };
export type Place = { orgId: string; projectId: string };
export type Role = 'owner' | 'admin' | 'manager' | 'member' | 'viewer';

export type TestApp = AsyncDisposable & {
  url: string;
  app: App;
  db: Database;
  databaseUrl: string;
  vault: Vault;
  clock: Clock;
  /** The admin of the first start: the operator, owner of the first organization. */
  alice: Person;
  /** The first organization and its project. */
  home: Place;
  /** Another organization with a project; alice's first one by default. */
  place: (owner?: Person, plan?: string) => Promise<Place>;
  /** A signed-in person; a member only of the organizations given. */
  person: (name: string, roles?: Record<string, Role>) => Promise<Person>;
  /** Signed out. */
  visitor: () => Client;
  /** The probe of a region; `local` by default. */
  probe: (region?: string) => Probe;
  /** Creates a region, and its probe. */
  region: (
    slug: string,
    options?: { internal?: boolean; allowPrivate?: boolean; maxProbes?: number | null },
  ) => Promise<Probe>;
  /** Runs a stored job's task, `deliver` (what is due; `apart`: by a further worker), `audit`, `partitions`, `notices` and `page_mails` (send what is due), `heartbeats` or `heartbeats_turn` now, by the clock of the test. */
  runTask: (name: string, payload?: Record<string, unknown>) => Promise<void>;
  /** A second server on the same database. */
  another: () => Promise<AsyncDisposable & { url: string; probe: (region?: string) => Probe }>;
};

/** The clock of the machine, for tests of what a person sees: browsers have no other. */
export const realClock: Clock = { now: () => new Date(), ms: () => Date.now(), advance: () => undefined };

/** One application for all tests of a file: `before(async () => { app = await startAppOfFile(); })`. */
export async function startAppOfFile(options: AppOptions = {}): Promise<TestApp> {
  const app = await startTestApp(options);
  closeAfterTests(() => Promise.resolve(app[Symbol.asyncDispose]()));
  return app;
}

/** An application for one test: `await using app = await startTestApp()`. */
export async function startTestApp(options: AppOptions = {}): Promise<TestApp> {
  const stack = new AsyncDisposableStack();
  try {
    const database = stack.use(await freshDatabase());
    return await startAppOn(stack, database.url, database.db, options);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** A machine on which a server estimates the database's time: its monotonic time in milliseconds. */
export type Machine = { elapsedMs: () => number };

/**
 * A server on a database: `start` builds its people and probes around it. With a machine instead of a clock it uses the
 * database's clock, as in production.
 */
export async function startNode(
  stack: AsyncDisposableStack,
  url: string,
  time: Clock | Machine,
  env: Record<string, string>,
  {
    log = silent,
    dashboardDir,
    builtFiles = {},
    version = '0.0.0',
    readDisk,
    elapsedMs,
    roles,
    // Ten workers poll for due work twice a second each, in vain if the test owns the clock.
    pollsJobs = !('now' in time) || time === realClock,
  }: Pick<
    AppOptions,
    'log' | 'dashboardDir' | 'builtFiles' | 'version' | 'readDisk' | 'elapsedMs' | 'pollsJobs' | 'roles'
  > = {},
) {
  const config = configOf(url, env, roles);
  const database = openPool({ url, log });
  stack.defer(() => database.close());
  const vault = openVault(config.secretKey, config.earlierSecretKeys);
  const app = await startApp(config, {
    log,
    database,
    vault,
    dashboardDir: dashboardDir ?? null,
    builtFiles,
    version,
    ...(readDisk ? { readDisk } : {}),
    ...('now' in time ? { clock: time.now } : time),
    ...(elapsedMs ? { elapsedMs } : {}),
    pollsJobs,
  });
  stack.defer(() => app.stop());
  return { app, config, vault, db: database.db };
}

const configOf = (url: string, env: Record<string, string>, roles?: readonly ServerRole[]) =>
  loadConfig({ DATABASE_URL: url, SECRET_KEY, ...QUIET, ...env }, roles);

/** An application on a migrated, empty database; `stack` stops it. */
export async function startAppOn(
  stack: AsyncDisposableStack,
  databaseUrl: string,
  db: Database,
  options: AppOptions,
): Promise<TestApp> {
  const clock = options.clock ?? makeClock();
  const hasAdmin = options.admin ?? true;
  const env = { ...ROOM, ...(hasAdmin ? ADMIN : {}), ...options.env };
  await prepareAdmin(db, clock.now(), configOf(databaseUrl, env));
  const throughUrl = options.throughUrl?.(databaseUrl) ?? databaseUrl;
  const { app, config, vault } = await startNode(stack, throughUrl, clock, env, options);
  const url = app.address;
  const tokens = new Map([['local', app.localProbeToken ?? '']]);
  const send = makeSend({ allowPrivate: config.allowPrivateWebhooks, operator: operatorAddresses(config) });
  const { baseUrl } = config;
  const sending = { db, vault, send, baseUrl, clock: clock.now, random: () => 0.5, log: silent };
  const worker = makeDeliveryWorker(sending);
  const noticeOptions = noticesOf(config, { db, vault, clock });
  const stored = taskList({ db, clock: clock.now, log: silent, shownAt: { vault, baseUrl } });
  const tasks = {
    ...stored,
    sweep: () => sweepAfterADay(db, clock.now(), stored.sweep),
    deliver: ({ alone = false, apart = false }) =>
      deliverDue(apart ? makeDeliveryWorker(sending) : worker, db, clock, alone),
    audit: () => audit({ db, clock: clock.now, log: silent }),
    partitions: () => keepPartitions(db, clock.now()),
    notices: () => sendDueNotices(noticeOptions),
    page_mails: () => sendMailsOfPages(noticeOptions, vault),
    report_mails: () => sendMailedReports(noticeOptions, vault),
    self_monitoring: () => watchOnce(noticeOptions),
    // As if a server had been running all the time, and as one that comes back.
    heartbeats: () => evaluateDue({ db, ensureDays: makeEnsureDays(db), log: silent }, clock.now()),
    agents: () => evaluateSilentAgents({ db, ensureDays: makeEnsureDays(db), log: silent }, clock.now()),
    heartbeats_turn: () => {
      const context = { db, ensureDays: makeEnsureDays(db), log: silent };
      const alsoEvaluate = [(now: Date) => evaluateSilentAgents(context, now)];
      return watchTurn({ ...context, clock: clock.now, disk: ROOMY, alsoEvaluate });
    },
  };
  const signedIn = async (email: string): Promise<Person> => {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const client = makeClient(url, {}, [await openSession(db, vault, baseUrl, id)]);
    const sessions = db.updateTable('sessions').where('user_id', '=', id);
    const prove = () => sessions.set({ authenticated_at: clock.now() }).execute();
    return { ...provingAgain(client, prove), userId: id, email };
  };
  const alice = hasAdmin ? await signedIn(ADMIN.ADMIN_EMAIL) : (makeClient(url) as Person);
  const probe = (region = 'local') => makeProbe(url, tokens.get(region) ?? '', clock);

  return {
    url,
    app,
    db,
    databaseUrl,
    vault,
    clock,
    alice,
    home: hasAdmin ? await homeOf(db) : { orgId: '', projectId: '' },
    async place(owner = alice, plan) {
      const name = `Place ${randomBytes(4).toString('hex')}`;
      const organization = await owner.ok<{ id: string }>('POST', '/organizations', { name });
      if (plan)
        await db.updateTable('organizations').set({ plan }).where('id', '=', organization.id).execute();
      const path = `/organizations/${organization.id}/projects`;
      const project = await owner.ok<{ id: string }>('POST', path, { name: 'Shop' });
      return { orgId: organization.id, projectId: project.id };
    },
    async person(name, roles = {}) {
      const email = `${name}-${randomBytes(4).toString('hex')}@example.com`;
      const user = { email, name, passwordHash: await hashOnce(PASSWORD), operator: false };
      const userId = await runWork(db, clock.now(), SYSTEM, (work) => createUser(work, user));
      for (const [org_id, role] of Object.entries(roles))
        await db
          .insertInto('members')
          .values({ org_id, user_id: userId, role, joined_at: clock.now() })
          .execute();
      return signedIn(email);
    },
    visitor: () => makeClient(url),
    probe,
    async region(slug, { internal = false, allowPrivate = true, maxProbes = null } = {}) {
      const token = `tcp_${randomBytes(32).toString('base64url')}`;
      await runWork(db, clock.now(), SYSTEM, async (work) => {
        const region = {
          slug,
          name: slug,
          internal,
          allow_private_targets: allowPrivate,
          created_at: work.now,
        };
        const { no } = await work.tx
          .insertInto('regions')
          .values(region)
          .returning('no')
          .executeTakeFirstOrThrow();
        await saveProbeToken(work, no, token, { maxProbes });
      });
      tokens.set(slug, token);
      return probe(slug);
    },
    async runTask(name, payload = {}) {
      const task = tasks[name as keyof typeof tasks] as (payload: unknown) => Promise<unknown>;
      await task(payload);
    },
    async another() {
      const own = new AsyncDisposableStack();
      const node = await startNode(own, databaseUrl, clock, env);
      return {
        url: node.app.address,
        probe: (region = 'local') => makeProbe(node.app.address, tokens.get(region) ?? '', clock),
        [Symbol.asyncDispose]: () => own.disposeAsync(),
      };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/**
 * Delivers due deliveries until none is left. Waits for those that a server's own worker has claimed after a commit, unless
 * `alone`.
 */
async function deliverDue(worker: DeliveryWorker, db: Database, clock: Clock, alone: boolean): Promise<void> {
  for (;;) {
    await worker.poll();
    await worker.untilIdle();
    const { rows } = await sql`
      SELECT FROM delivery_queue WHERE leased_until > ${clock.now()} LIMIT 1`.execute(db);
    if (alone || rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function homeOf(db: Database): Promise<Place> {
  const { rows } = await sql<{ org_id: string; id: string }>`SELECT org_id, id FROM projects`.execute(db);
  const [row] = rows;
  return { orgId: row?.org_id ?? '', projectId: row?.id ?? '' };
}
