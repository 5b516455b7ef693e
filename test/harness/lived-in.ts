// An organization with days of history: people, keys, secrets, checks, incidents, webhooks, activity.
import { rollUpAgents } from '#src/agents/rollup.ts';
import { capsuleContext } from '#src/capsules/hand-out.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { hashToken } from '#src/platform/secrets.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { storeReadings } from './agent-readings.ts';
import { insertAgent } from './agents.ts';
import type { Person, Place, TestApp } from './app.ts';
import { silent } from './cluster.ts';
import { grantKey } from './scene.ts';
import { liveInPage } from './status-page.ts';

export const DAY_MS = 86_400_000;
export const SECRETS = {
  headers: { Authorization: 'Bearer of a secret' },
  auth: {
    kind: 'basic',
    username: 'reader',
    password: '=a secret, with "quotes", äöü\tand\\slashes',
  },
};

export type LivedIn = Place & {
  owner: Person;
  member: Person;
  /** A key with every scope. */
  key: string;
  /** Has secrets, and was down twice; one incident is closed, one open. */
  monitorId: string;
  openIncidentId: string;
  webhookSecret: string;
};

/** Of a failing check. */
const ANSWER = {
  status_code: 500,
  headers: [{ name: 'Content-Type', value: 'text/html' }],
  body: '<h1>Out of order</h1>',
  body_kind: 'text',
  truncated: false,
  withheld: false,
  private: false,
};

/** Fills a new organization over three days of the test's clock. */
export async function liveIn(app: TestApp): Promise<LivedIn> {
  const owner = await app.person('olga');
  const place = await app.place(owner);
  const member = await app.person('emil', { [place.orgId]: 'member' });
  const { db, clock } = app;
  const create = (body: object) => owner.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, body);
  const organization = `/organizations/${place.orgId}`;
  const profile = await owner.ok<{ id: string }>('POST', `${organization}/alert-profiles`, {
    name: 'Patient',
    alarm_min_duration_seconds: 0,
    recovery_quorum_mode: 'any',
  });
  await owner.ok('PUT', `${organization}/alarm-standard`, { min_regions: 1, alarm_consecutive: 2 });
  const monitor = await create({
    name: '=Shop, "the" äöü',
    type: 'http',
    config: { url: 'https://shop.example.com/', ...SECRETS },
    policy: { alarm_consecutive: 2, recovery_consecutive: 1, alert_profile_id: profile.id },
    alarm_gate: { grace_seconds: 60, origins: ['manual'] },
  });
  const quiet = await create({ name: 'Quiet', type: 'http', config: { url: 'https://quiet.example.com/' } });
  const hook = await owner.ok<{ secret: string }>('POST', `/organizations/${place.orgId}/webhooks`, {
    name: 'Hook',
    kind: 'webhook',
    // Nothing listens there, so the deliveries wait for their next attempt.
    url: 'http://127.0.0.1:9/hook',
    events: ['opened', 'resolved', 'acknowledged'],
  });
  // Of other kinds, subscribed to nothing for now.
  for (const fields of [
    { kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/X' },
    { kind: 'pagerduty', credential: '0123456789abcdef0123456789abcdef' },
  ])
    await owner.ok('POST', `${organization}/webhooks`, {
      name: fields.kind,
      events: ['opened'],
      active: false,
      ...fields,
    });
  await db
    .insertInto('invitations')
    .values({
      id: newId('inv'),
      org_id: place.orgId,
      email: `late-${place.orgId}@example.com`,
      role: 'manager',
      token_hash: hashToken(place.orgId),
      created_at: clock.now(),
      expires_at: new Date(clock.ms() + 7 * DAY_MS),
    })
    .execute();
  const { key } = await grantKey(app, place.orgId);
  await liveOnHost(app, owner, place.orgId);

  const onCall = { enabled: true, timezone: 'Europe/Berlin', escalation_stage1_minutes: 7 };
  await owner.ok('PUT', `${organization}/on-call/settings`, {
    ...onCall,
    manual_duty_user_id: member.userId,
  });
  await owner.ok('PUT', `${organization}/on-call/members`, {
    members: [{ position: 0, user_id: member.userId }],
  });
  await owner.ok('POST', `${organization}/on-call/overrides`, {
    user_id: member.userId,
    starts_at_unix: 4_000_000_000,
    ends_at_unix: 4_000_003_600,
  });

  const say = async (status: 'up' | 'down' | 'degraded') => {
    clock.advance(60_000);
    const failed = { detail: 'a\tb\\n\nc', response_excerpt: ANSWER };
    await app.probe().says(monitor.id, { status, ...(status === 'down' ? failed : {}) } as never);
    await app.probe().says(quiet.id, 'up');
  };
  for (const status of ['up', 'degraded', 'down', 'down', 'up', 'up'] as const) await say(status);
  clock.advance(DAY_MS);
  for (const status of ['up', 'up'] as const) await say(status);
  clock.advance(DAY_MS);
  await app.runTask('partitions');
  for (const status of ['up', 'down', 'down'] as const) await say(status);
  const [open] = await owner.ok<{ id: string }[]>('GET', `/organizations/${place.orgId}/incidents`);
  const openIncidentId = open?.id ?? '';
  await storeCapsule(app, openIncidentId, monitor.id, place.orgId);
  await member.ok('POST', `/organizations/${place.orgId}/incidents/${openIncidentId}/ack`);
  const incident = `/organizations/${place.orgId}/incidents/${openIncidentId}`;
  const note = { body: 'We look at it', kind: 'status_update', visibility: 'public' };
  await member.ok('POST', `${incident}/notes`, note);
  await member.ok('PUT', `${incident}/postmortem`, { title: 'How it came', visibility: 'public' });
  await member.ok('POST', `${incident}/postmortem/publish`);
  const pages = `/organizations/${place.orgId}/status-pages`;
  const page = await owner.ok<StatusPage>('POST', pages, { name: 'How we are', slug: newId('stp') });
  await owner.ok('PUT', `${incident}/status-pages/${page.id}`);
  await liveInPage(app, owner, page, monitor.id);
  return { ...place, owner, member, key, monitorId: monitor.id, openIncidentId, webhookSecret: hook.secret };
}

/** A host with a day of readings, and a token that enrols another one. */
async function liveOnHost({ db, clock }: TestApp, owner: Person, orgId: string): Promise<void> {
  await owner.ok('POST', `/organizations/${orgId}/agents/enrollment-tokens`, { expires_in_seconds: 604_800 });
  const since = new Date(clock.ms() - DAY_MS);
  const { no } = await insertAgent(db, { orgId, hostname: 'shop-1', at: since });
  const readings = Array.from({ length: 1440 }, (_, i) => ({
    ...{ at: new Date(since.getTime() + i * 60_000), cpu_pct: i % 100, mem_pct: 40, disks: { '/': 55 } },
  }));
  await storeReadings(db, no, readings);
  await rollUpAgents(db, clock.now(), silent);
  await db
    .insertInto('agent_inventories')
    .values({ agent_no: no, at: clock.now(), processes: ['nginx'], services: '[]' })
    .execute();
  await db
    .insertInto('agent_events')
    .values({ at: clock.now(), agent_no: no, kind: 'rebooted', detail: 'after 3 days' })
    .execute();
}

/** The failure capsule of the region when the incident opened. */
async function storeCapsule(
  app: TestApp,
  incidentId: string,
  monitorId: string,
  orgId: string,
): Promise<void> {
  const capsule_id = `${incidentId}-1`;
  const local = await app.db
    .selectFrom('regions')
    .select('no')
    .where('slug', '=', 'local')
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('incident_capsules')
    .values({
      capsule_id,
      incident_id: incidentId,
      region_no: local.no,
      org_id: orgId,
      monitor_id: monitorId,
      asked_at: app.clock.now(),
      skipped: false,
      claimed_by: 'probe-1',
      arrived_at: app.clock.now(),
      capsule_sealed: app.vault.seal('{}', capsuleContext(capsule_id)),
    })
    .execute();
}
