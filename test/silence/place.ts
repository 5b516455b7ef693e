// What a walk has of its own: regions with their probes, two organizations, and monitors of several kinds of assignment.
import { randomBytes } from 'node:crypto';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WallLink } from '#src/walls/contract.ts';
import { makeAgent } from '../harness/agents.ts';
import type { Person } from '../harness/app.ts';
import { type Client, makeClient } from '../harness/client.ts';
import type { Probe } from '../harness/probe.ts';
import { newPage } from '../harness/status-page.ts';
import { HOST, type MonitorFacts, type ProbeFacts } from './facts.ts';
import type { Stage } from './stage.ts';
import type { Walk } from './walk.ts';

/** A monitor that probes check: by default once in `seconds`, from all regions. */
type Checked = {
  first: boolean;
  type: 'http' | 'ping';
  seconds: number;
  timeoutMs?: number;
  from?: (regions: readonly string[]) => string[];
};

const CHECKED: readonly Checked[] = [
  { first: true, type: 'http', seconds: 30 },
  { first: true, type: 'http', seconds: 10, from: ([first]) => [first!] },
  { first: true, type: 'http', seconds: 60, timeoutMs: 5000, from: (all) => all.slice(0, 2) },
  { first: true, type: 'ping', seconds: 60, from: ([, second]) => [second!] },
  { first: false, type: 'http', seconds: 120 },
  { first: false, type: 'http', seconds: 3600, from: (all) => all.slice(-1) },
];

const TIMEOUT_MS: Readonly<Record<string, number>> = { http: 10_000, ping: 5_000 };

/** The timeout of a check without one: its type's, shortened to the interval (docs/rules/monitor-types.md#intervals). */
export const usualTimeoutOf = (type: string, seconds: number): number =>
  Math.min(TIMEOUT_MS[type] ?? 10_000, seconds * 800);

export type Organization = {
  orgId: string;
  projectId: string;
  owner: Person;
  /** Whoever is mailed about its monitors. */
  mailed: readonly Person[];
  wall: Client;
  /** Its status page, which has all of its monitors. */
  pageId: string;
};

export type WalkedMonitor = { facts: MonitorFacts; type: string; isUp: boolean; isHindered: boolean };
export type WalkedProbe = { facts: ProbeFacts; client: Probe };

export type Place = Awaited<ReturnType<typeof makePlace>>;

export async function makePlace(stage: Stage, walk: Walk) {
  const { app, people } = stage;
  stage.walks += 1;
  const regions = walk.probes.map((_, i) => `walk-${stage.walks}-${'abc'[i]}`);
  const probes: WalkedProbe[] = [];
  for (const [i, region] of regions.entries()) {
    const client = await app.region(region);
    for (let n = 1; n <= (walk.probes[i] ?? 1); n++) {
      const facts = {
        region,
        id: `probe-${n}`,
        admitted: true,
        contactMs: null,
        seenMs: null,
        awaitedMs: null,
        patienceMs: 60_000,
        busyMs: null,
      };
      probes.push({ facts, client: client.named(facts.id) });
    }
  }
  const first = await makeOrganization(stage, app.alice, [app.alice, people.ben]);
  const joined = { org_id: first.orgId, joined_at: app.clock.now() };
  await app.db
    .insertInto('members')
    .values([
      { ...joined, user_id: people.ben.userId, role: 'admin' },
      { ...joined, user_id: people.carl.userId, role: 'member' },
    ])
    .execute();
  const organizations = [first, await makeOrganization(stage, people.dora, [people.dora])] as const;

  const monitors: WalkedMonitor[] = [];
  async function add(
    of: Organization,
    body: Record<string, unknown> & { type: string },
    known: Partial<MonitorFacts>,
  ) {
    const name = `Monitor ${monitors.length} of walk ${stage.walks}`;
    const made = await of.owner.ok<Monitor>('POST', `/projects/${of.projectId}/monitors`, { name, ...body });
    const nowMs = app.clock.ms();
    const facts: MonitorFacts = {
      ...{ id: made.id, name, orgId: of.orgId, knows: true, enabled: true, deleted: false, regions: [] },
      ...{ intervalSeconds: 60, timeoutMs: 10_000, madeMs: nowMs, changedMs: nowMs, checks: new Map() },
      ...{ passedMs: 0, failedMs: 0, maintainedMs: 0 },
      ...known,
    };
    monitors.push({ facts, type: body.type, isUp: true, isHindered: false });
    return made;
  }
  for (const checked of CHECKED) {
    const { first: isOfFirst, type, seconds, timeoutMs, from = (all) => [...all] } = checked;
    const target = type === 'ping' ? { host: 'shop.example.com' } : { url: 'https://shop.example.com/' };
    const config = { ...target, ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }) };
    const fields = { type, config, interval_seconds: seconds, regions: from(regions) };
    await add(organizations[isOfFirst ? 0 : 1], fields, {
      ...{
        knows: false,
        regions: from(regions),
        intervalSeconds: seconds,
        timeoutMs: timeoutMs ?? usualTimeoutOf(type, seconds),
      },
    });
  }
  const members = monitors.slice(0, 2).map(({ facts }) => facts.id);
  await add(first, { type: 'group', config: { members, rule: 'any_failed' } }, {});
  const schedule = { kind: 'period', period_seconds: 60 };
  const job = await add(first, { type: 'heartbeat', config: { schedule } }, {});
  // Without a monitor of whether it is online, its people are mailed that it has no data (docs/rules/monitor-types.md#agent).
  const agent = await makeAgent(app, first);
  const cpu = { agent_id: agent.id, metric: 'cpu_pct', op: 'gt', threshold: 90 };
  await add(first, { type: 'agent', config: cpu }, { knows: false, regions: [HOST] });
  for (const { orgId, owner, pageId } of organizations) {
    const own = monitors.filter(({ facts }) => facts.orgId === orgId);
    const named = own.map(({ facts }) => ({ monitor_id: facts.id }));
    await owner.ok('PUT', `/status-pages/${pageId}/monitors`, { monitors: named });
  }
  return {
    regions,
    probes,
    organizations,
    monitors,
    agent,
    pingUrl: String((job.config as { ping_url?: string }).ping_url),
  };
}

async function makeOrganization(
  { app }: Stage,
  owner: Person,
  mailed: readonly Person[],
): Promise<Organization> {
  const place = await app.place(owner);
  const link = await owner.ok<WallLink & { url: string }>(
    'POST',
    `/organizations/${place.orgId}/wall-links`,
    {
      name: `Screen ${randomBytes(4).toString('hex')}`,
    },
  );
  const token = link.url.split('#')[1];
  return {
    ...{ ...place, owner, mailed },
    pageId: (await newPage(owner, place)).id,
    wall: makeClient(app.url, { authorization: `Bearer ${token}` }),
  };
}
