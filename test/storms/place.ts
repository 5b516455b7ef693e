// The organization of a walk: its people, its monitors, and the targets that are notified.
import type { Email } from 'postal-mime';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import type { Person, TestApp } from '../harness/app.ts';
import type { Pagers } from './pagers.ts';
import { MONITORS, type Walk } from './walk.ts';

const EVENTS = ['opened', 'escalated', 'acknowledged', 'resolved', 'updated', 'discarded'];
/** What a filter by tag asks for. */
const TAG = 'payments';
/** The first monitors are those that every filter lets through at the beginning. */
const CONCERNED = 3;

export type Target = {
  id: string;
  name: string;
  family: 'paging' | 'chat' | 'webhook';
  credential: string;
  /** Its filter, if it ever has one; `filters`: it has it now. */
  filter: object | null;
  filters: boolean;
  /** It is switched on, as far as anybody knows. */
  on: boolean;
  /** The events that it is subscribed to. */
  events: Set<string>;
};

/** Somebody whom alarms reach, and mail, so many seconds after they start. */
export type Reached = { person: Person; afterSeconds: number; mailedAfterSeconds: number };

export type Place = Awaited<ReturnType<typeof makePlace>>;
/** Alice owns every organization. Carl is on duty. Ben does what people do, and is next on the roster. */
export type People = { carl: Person; ben: Person };

export async function makePlace(app: TestApp, pagers: Pagers, { carl, ben }: People, walk: Walk) {
  const { orgId, projectId } = await app.place(app.alice, 'business');
  const { name } = await app.db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  const url = (path: string) => `/organizations/${orgId}/${path}`;
  await app.db
    .insertInto('members')
    .values(
      Object.entries({ manager: ben, member: carl }).map(([role, { userId }]) => ({
        ...{ org_id: orgId, user_id: userId, role, joined_at: app.clock.now() },
      })),
    )
    .execute();
  if (walk.onCall) {
    const roster = [carl, ben].map(({ userId }, position) => ({ position, user_id: userId }));
    await app.alice.ok('PUT', url('on-call/members'), { members: roster });
    await app.alice.ok('PUT', url('on-call/settings'), {
      ...{ enabled: true, timezone: 'UTC', rotation_mode: 'manual', manual_duty_user_id: carl.userId },
      ...{ channel_step_minutes: 1, escalation_stage1_minutes: 2, escalation_stage2_minutes: 5 },
    });
  }
  const reached: Reached[] = walk.onCall
    ? [
        { person: carl, afterSeconds: 0, mailedAfterSeconds: 60 },
        { person: ben, afterSeconds: 120, mailedAfterSeconds: 120 },
        { person: app.alice, afterSeconds: 300, mailedAfterSeconds: 300 },
      ]
    : [{ person: app.alice, afterSeconds: 0, mailedAfterSeconds: 0 }];

  const bySeverity = walk.filter === 'severity';
  const byTag = walk.filter === 'tag';
  const other =
    walk.filter === 'project'
      ? await app.alice.ok<{ id: string }>('POST', url('projects'), { name: 'Other' })
      : { id: projectId };
  const monitors: Monitor[] = [];
  for (let i = 0; i < MONITORS; i++) {
    const severity = i < CONCERNED && bySeverity ? 'critical' : 'default';
    monitors.push(
      await app.alice.ok<Monitor>('POST', `/projects/${i < CONCERNED ? projectId : other.id}/monitors`, {
        name: `Page ${i}`,
        type: 'http',
        config: { url: `https://shop.example.com/${i}` },
        interval_seconds: 10,
        severity: walk.degraded && i === MONITORS - 1 ? 'degraded' : severity,
        tags: byTag && i < CONCERNED ? [TAG] : [],
      }),
    );
  }
  /** The monitors whose incidents pass the filters now. */
  const concerned = new Set(
    monitors.slice(0, walk.filter === 'none' ? MONITORS : CONCERNED).map(({ id }) => id),
  );

  /** What the credentials of its targets begin with. */
  const prefix = orgId
    .replaceAll(/[^a-zA-Z0-9]/g, '')
    .padEnd(31, '0')
    .slice(-31);
  const targets: Target[] = [];
  async function addTarget(kind: string, family: Target['family'], filter?: object): Promise<void> {
    const credential = `${prefix}${targets.length}`;
    const own = {
      paging: { credential },
      chat: { url: pagers.chatUrl(credential) },
      webhook: { url: pagers.hookUrl(credential) },
    };
    const name = `${kind}${filter ? ' with a filter' : ''}`;
    const body = { name, kind, events: EVENTS, ...own[family], ...filter };
    const { id } = await app.alice.ok<WebhookTarget>('POST', url('webhooks'), body);
    const now = { on: true, filter: filter ?? null, filters: filter !== undefined, events: new Set(EVENTS) };
    targets.push({ id, name, family, credential, ...now });
  }
  await addTarget('pagerduty', 'paging');
  await addTarget('slack', 'chat');
  await addTarget('webhook', 'webhook');
  const filters = {
    none: undefined,
    tag: { tags: [TAG] },
    project: { project_ids: [projectId] },
    severity: { min_severity: 'critical' },
  };
  const filter = filters[walk.filter];
  await addTarget('opsgenie', 'paging', filter);
  if (filter) {
    await addTarget('slack', 'chat', filter);
    await addTarget('webhook', 'webhook', filter);
  }

  /** Gives a monitor the tag, or takes it away; resolves to the status of the answer. */
  async function tag({ id }: Monitor): Promise<void> {
    const isTagged = concerned.has(id);
    const { status } = await app.alice.send('PATCH', `/monitors/${id}`, { tags: isTagged ? [] : [TAG] });
    if (status >= 300) throw new Error(`a tag could not be set: ${status}`);
    if (isTagged) concerned.delete(id);
    else concerned.add(id);
  }
  const [pagerduty, opsgenie] = targets.filter(({ family }) => family === 'paging') as [Target, Target];
  return {
    orgId,
    /** Whether a mail is about this organization. */
    isOwnMail: ({ subject = '' }: Email) => subject.includes(`[${name}]`),
    url,
    monitors,
    targets,
    pagerduty,
    opsgenie,
    prefix,
    reached,
    doer: ben,
    concerned,
    tag: byTag ? tag : null,
  };
}
