// An organization with one of everything, and keys for it: the stage of the tests that walk every operation.

import { sql } from 'kysely';
import { SCOPES } from '#src/api-keys/contract.ts';
import { makeKey } from '#src/api-keys/format.ts';
import { checkId } from '#src/checks/records.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { insertAgent } from './agents.ts';
import type { Person, Role, TestApp } from './app.ts';
import type { Ids } from './scene-ids.ts';
import { furnishPage, makePublicPage } from './status-page.ts';

export type Scene = {
  ids: Ids;
  /** A second project of the organization, empty. */
  emptyProjectId: string;
  /** Incidents of the monitor that are over; the second one was a false alarm. */
  closedIncidentId: string;
  discardedIncidentId: string;
  /** The open incident is on it. */
  linkedPageId: string;
  /** Enrols hosts. `token_id` is a probe's. */
  enrollmentTokenId: string;
};

/** Creates one; `cast` are its further members. The owner of the organization is their owner. */
export async function makeScene(
  app: TestApp,
  owner: Person,
  cast: readonly { person: Person; role: Role }[] = [],
): Promise<Scene> {
  const { db, clock } = app;
  const now = clock.now();
  const { orgId, projectId } = await app.place(owner);
  const empty = await owner.ok<{ id: string }>('POST', `/organizations/${orgId}/projects`, { name: 'Empty' });
  for (const { person, role } of cast) await join(app, orgId, person.userId, role);
  const body = {
    name: 'Shop',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    alarm_gate: { origins: ['deployment'] },
  };
  const monitor = await owner.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body);
  const target = { name: 'Hook', kind: 'webhook', url: 'http://127.0.0.1:9/x', events: ['opened'] };
  const hook = await owner.ok<{ id: string }>('POST', `/organizations/${orgId}/webhooks`, target);
  const ids: Ids = {
    org_id: orgId,
    project_id: projectId,
    monitor_id: monitor.id,
    check_id: await makeCheck(app, monitor),
    incident_id: await makeIncident(app, orgId, monitor),
    target_id: hook.id,
    delivery_id: await makeDelivery(app, orgId, hook.id),
    invitation_id: newId('inv'),
    key_id: '',
    window_id: await makeWindow(owner, orgId, monitor.id),
    subscription_id: newId('psb'),
    ...(await makeRegion(app)),
    profile_id: await makeProfile(owner, orgId),
    ...(await makePage(owner, orgId)),
    viewer_id: newId('spv'),
    domain_id: newId('spd'),
    sub_id: newId('sub'),
    slug: await makePublicPage(owner, orgId, monitor.id),
    override_id: newId('ovr'),
    view_id: newId('viw'),
    drill_id: newId('drl'),
    link_id: newId('wll'),
    user_id: newId('usr'),
    agent_id: (await insertAgent(db, { orgId, at: now })).id,
  };
  await owner.ok('POST', `/projects/${projectId}/monitors`, {
    ...{ name: 'Host', type: 'agent' },
    config: { agent_id: ids.agent_id, metric: 'online' },
  });
  const enrolment = await owner.ok<{ id: string }>(
    'POST',
    `/organizations/${orgId}/agents/enrollment-tokens`,
  );
  await db
    .insertInto('invitations')
    .values({
      id: ids.invitation_id,
      org_id: orgId,
      email: `${ids.invitation_id}@example.com`,
      role: 'member',
      token_hash: hashToken(ids.invitation_id),
      created_at: now,
      expires_at: new Date(now.getTime() + 86_400_000),
    })
    .execute();
  await db
    .insertInto('users')
    .values({ id: ids.user_id, name: 'Extra', email: `${ids.user_id}@example.com` })
    .execute();
  await join(app, orgId, ids.user_id, 'member');
  await furnishPage(app, ids);
  await db
    .insertInto('on_call_overrides')
    .values({
      id: ids.override_id,
      org_id: orgId,
      user_id: ids.user_id,
      starts_at: new Date(4_000_000_000_000),
      ends_at: new Date(4_000_003_600_000),
      created_at: now,
    })
    .execute();
  await db
    .insertInto('monitor_views')
    .values({ id: ids.view_id, org_id: orgId, name: 'Down', search: '{}', created_at: now })
    .execute();
  await db
    .insertInto('wall_links')
    .values({ id: ids.link_id, org_id: orgId, name: 'Hall', hash: hashToken(ids.link_id), created_at: now })
    .execute();
  await db
    .insertInto('fire_drills')
    .values({ id: ids.drill_id, org_id: orgId, for_person: false, started_at: now })
    .execute();
  await db.insertInto('alarms').values({ org_id: orgId, started_at: now, drill_id: ids.drill_id }).execute();
  ids.key_id = (await grantKey(app, orgId)).id;
  const linked = (await makePage(owner, orgId)).id;
  await db
    .insertInto('incident_status_pages')
    .values({ incident_id: ids.incident_id, status_page_id: linked, linked_at: now })
    .execute();
  await db
    .insertInto('postmortems')
    .values({ incident_id: ids.incident_id, title: 'How it came', updated_at: now })
    .execute();
  return {
    ids,
    emptyProjectId: empty.id,
    closedIncidentId: await makeIncident(app, orgId, monitor, { closed: true }),
    discardedIncidentId: await makeIncident(app, orgId, monitor, { closed: true, discarded: true }),
    linkedPageId: linked,
    enrollmentTokenId: enrolment.id,
  };
}

/** Planned for a time after every test. */
async function makeWindow(owner: Person, orgId: string, monitorId: string): Promise<string> {
  const times = { scheduled_start: 4_000_000_000, scheduled_end: 4_000_003_600 };
  const body = { title: 'Move', ...times, monitors: [monitorId] };
  return (await owner.ok<{ id: string }>('POST', `/organizations/${orgId}/maintenance-windows`, body)).id;
}

/** A draft status page without incidents. */
async function makePage(owner: Person, orgId: string): Promise<Pick<Ids, 'status_page_id' | 'id'>> {
  const body = { name: 'How we are', slug: newId('stp') };
  const { id } = await owner.ok<{ id: string }>('POST', `/organizations/${orgId}/status-pages`, body);
  return { status_page_id: id, id };
}

/** No monitor uses it. */
async function makeProfile(owner: Person, orgId: string): Promise<string> {
  const body = { name: 'Patient', alarm_consecutive: 5 };
  return (await owner.ok<{ id: string }>('POST', `/organizations/${orgId}/alert-profiles`, body)).id;
}

/** A region that checks nothing, with a probe token, and a probe that once used it. */
async function makeRegion({
  db,
  clock,
}: TestApp): Promise<Pick<Ids, 'region_slug' | 'token_id' | 'probe_id'>> {
  const token_id = newId('ptk');
  const slug = token_id.replace('_', '-');
  const { no } = await db
    .insertInto('regions')
    .values({ slug, name: 'Far away', created_at: clock.now() })
    .returning('no')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('probe_tokens')
    .values({ id: token_id, hash: hashToken(token_id), region_no: no, created_at: clock.now() })
    .execute();
  const probe_id = slug;
  await db
    .insertInto('probes')
    .values({ region_no: no, probe_id, token_id, first_seen_at: clock.now(), last_seen_at: clock.now() })
    .execute();
  return { region_slug: slug, token_id, probe_id };
}

export async function join({ db, clock }: TestApp, orgId: string, userId: string, role: Role): Promise<void> {
  await db
    .insertInto('members')
    .values({ org_id: orgId, user_id: userId, role, joined_at: clock.now() })
    .execute();
}

async function makeIncident(
  { db, clock }: TestApp,
  orgId: string,
  monitor: Monitor,
  { closed = false, discarded = false } = {},
): Promise<string> {
  const id = newId('inc');
  const { no } = await db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('incidents')
    .values({
      id,
      org_id: orgId,
      monitor_id: monitor.id,
      monitor_no: no,
      project_id: monitor.project_id,
      origin: 'manual',
      cause: 'Shop is slow',
      summary: 'Shop is slow',
      severity: 'default',
      status: closed ? 'closed' : 'open',
      resolved_at: closed ? clock.now() : null,
      discarded,
      down_regions: [],
      region_count: 1,
      started_at: clock.now(),
      created_at: clock.now(),
    })
    .execute();
  return id;
}

async function makeDelivery({ db, clock }: TestApp, orgId: string, targetId: string): Promise<string> {
  const id = newId('dlv');
  const event = { id: newId('evt'), created_at: clock.now(), org_id: orgId, event: 'opened', body: '{}' };
  await db.insertInto('outbox').values(event).execute();
  await db
    .insertInto('deliveries')
    .values({
      id,
      created_at: clock.now(),
      org_id: orgId,
      target_id: targetId,
      lane: `${targetId} ${id}`,
      event_id: event.id,
      event: 'opened',
      state: 'failed',
      finished_at: clock.now(),
    })
    .execute();
  return id;
}

export type KeyOptions = { scopes?: readonly string[]; projectIds?: string[]; monitorIds?: string[] };

/** Stores a key directly in the database; with every scope and without narrowing by default. */
export async function grantKey(
  { db, clock }: TestApp,
  orgId: string,
  { scopes = SCOPES, projectIds, monitorIds }: KeyOptions = {},
): Promise<{ id: string; key: string }> {
  const key = makeKey();
  const id = newId('key');
  await db
    .insertInto('api_keys')
    .values({
      id,
      org_id: orgId,
      name: 'Robot',
      hash: hashToken(key),
      prefix: key.slice(0, 8),
      scopes: [...scopes],
      project_ids: projectIds ?? null,
      monitor_ids: monitorIds ?? null,
      created_at: clock.now(),
    })
    .execute();
  return { id, key };
}

/** Stored without a probe: none is online in the scene. */
async function makeCheck({ db, clock }: TestApp, monitor: Monitor): Promise<string> {
  const { rows } = await sql<{ monitor_no: number; region_no: number }>`
    INSERT INTO checks (checked_at, monitor_no, region_no, status)
    SELECT ${clock.now()}, m.no, r.no, 0 FROM monitors m, regions r WHERE m.id = ${monitor.id} AND r.slug = 'local'
    RETURNING monitor_no, region_no`.execute(db);
  return checkId(rows[0]?.monitor_no ?? 0, rows[0]?.region_no ?? 0, clock.ms());
}
