// An organization with somebody on duty, and the effects of its alarms: over the API, and as they are stored.
import type { IncidentDetail, TimelineEntry } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { EventBody } from '#src/notifications/event-body.ts';
import type { Ringing } from '#src/on-call/contract.ts';
import type { Person, Place, TestApp } from './app.ts';
import { speakFor } from './spoken-monitors.ts';
import { until } from './until.ts';

/** Kinds of timeline entries that the alarm chain writes or reacts to. */
const REPORTED = [
  'opened',
  'held',
  'hold_ended',
  'suppressed',
  'paged',
  'escalated',
  'acknowledged',
  'resolved',
];

export type AlarmScene = Awaited<ReturnType<typeof makeAlarmScene>>;

type Cast = { anna: Person; ben: Person; carl: Person };
const casts = new WeakMap<TestApp, Promise<Cast>>();

/** The same three people in every scene of an application, because signing in is expensive. */
function castOf(app: TestApp): Promise<Cast> {
  const cast =
    casts.get(app) ??
    Promise.all(['anna', 'ben', 'carl'].map((name) => app.person(name))).then(
      ([anna, ben, carl]) => ({ anna, ben, carl }) as Cast,
    );
  casts.set(app, cast);
  return cast;
}

/**
 * A time zone in which the week has more than a day left: a week hands over on Monday, and a test that begins on a Sunday
 * evening moves its clock past midnight.
 */
function zoneWithinAWeek(atMs: number): string {
  const isSunday = (zone: string) =>
    Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).dayOfWeek === 7;
  // 26 hours apart: if it is Sunday in one, the other is a day behind or ahead.
  return ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12'].find((zone) => !isSunday(zone)) ?? 'UTC';
}

/**
 * An organization of alice's, who is its owner and administrator: anna, ben and carl are members, anna and ben on the roster,
 * anna first; on-call is on with the default pace. `Pager` is a paging target whose receiver does not exist.
 */
export async function makeAlarmScene(app: TestApp, settings: object = {}) {
  const place: Place = await app.place();
  const { anna, ben, carl } = await castOf(app);
  await app.db
    .insertInto('members')
    .values(
      [anna, ben, carl].map(({ userId }, i) => ({
        org_id: place.orgId,
        user_id: userId,
        role: 'member',
        joined_at: new Date(app.clock.ms() + i + 1),
      })),
    )
    .execute();
  const url = (path: string) => `/organizations/${place.orgId}/${path}`;
  const configure = (body: object) => app.alice.ok('PUT', url('on-call/settings'), body);
  const setRoster = (...people: Person[]) =>
    app.alice.ok('PUT', url('on-call/members'), {
      members: people.map(({ userId }, position) => ({ position, user_id: userId })),
    });
  await configure({ enabled: true, timezone: zoneWithinAWeek(app.clock.ms()), ...settings });
  await setRoster(anna, ben);
  const events = ['opened', 'acknowledged', 'resolved', 'updated', 'escalated'];
  const credential = 'R0UT1NGK3YR0UT1NGK3YR0UT1NGK3Y12';
  const pager = await app.alice.ok<{ id: string }>('POST', url('webhooks'), {
    name: 'Pager',
    kind: 'pagerduty',
    credential,
    events,
  });
  const driver = speakFor(app, place);
  const names = new Map([
    [anna.userId, 'anna'],
    [ben.userId, 'ben'],
    [carl.userId, 'carl'],
    [app.alice.userId, 'alice'],
  ]);

  const alarmOf = async (incidentId: string) => {
    const row = await app.db
      .selectFrom('incidents')
      .leftJoin('alarms', 'alarms.no', 'incidents.alarm_no')
      .selectAll('alarms')
      .where('incidents.id', '=', incidentId)
      .executeTakeFirstOrThrow();
    return row;
  };

  return {
    say: driver.say,
    sayTogether: driver.sayTogether,
    create: driver.create,
    incidentOf: driver.incidentOf,
    timeline: driver.timeline,
    orgId: driver.orgId,
    projectId: driver.projectId,
    place,
    anna,
    ben,
    carl,
    url,
    configure,
    setRoster,
    pagerId: pager.id,
    alarmOf,
    /** A new monitor that has just gone down, and its incident. */
    async outage(fields: object = {}): Promise<{ monitor: Monitor; incident: IncidentDetail }> {
      const monitor = await driver.create(fields);
      await driver.say(monitor, 'down', 'down');
      return { monitor, incident: await driver.incidentOf(monitor) };
    },
    /** Minutes later the stored job of the incident's alarm runs. */
    async later(incidentId: string, minutes: number): Promise<void> {
      app.clock.advance(minutes * 60_000);
      const { no } = await alarmOf(incidentId);
      await app.runTask('alarm', { alarm_no: no });
    },
    /** The people for whom an incident rings now. */
    async ringsFor(incidentId: string): Promise<string[]> {
      const people: Person[] = [anna, ben, carl, app.alice];
      const rings = await Promise.all(
        people.map(async (person) => {
          const answer = await person.send<Ringing[]>('GET', url('on-call/ringing'));
          return answer.status === 200 && answer.body.some(({ incident_id }) => incident_id === incidentId);
        }),
      );
      return people.filter((_, i) => rings[i]).map(({ userId }) => names.get(userId) ?? '');
    },
    /** The alarm chain's entries of the timeline: `kind name: detail`, without those of senders unless `sent`. */
    async story(incidentId: string, { sent = false } = {}): Promise<string[]> {
      const entries = await driver.timeline(incidentId);
      const isSent = ({ detail }: TimelineEntry) => /^by (e-mail|web push)/.test(detail ?? '');
      return entries
        .filter((entry) => (isSent(entry) ? sent : REPORTED.includes(entry.kind)))
        .map(({ kind, actor_name, detail }) =>
          [kind, ...(actor_name ? [actor_name] : []), ...(kind === 'opened' ? [] : [detail ?? ''])].join(
            ' | ',
          ),
        );
    },
    /** Personal notices of an incident's alarm, in order: `channel kind stage name`. */
    async notices(incidentId: string): Promise<string[]> {
      const rows = await app.db
        .selectFrom('notices')
        .innerJoin('incidents', 'incidents.alarm_no', 'notices.alarm_no')
        .select(['notices.channel', 'notices.kind', 'notices.data', 'notices.user_id'])
        .where('incidents.id', '=', incidentId)
        .orderBy('notices.no')
        .execute();
      return rows.map(({ channel, kind, data, user_id }) =>
        [channel, kind, (data as { stage: string }).stage, names.get(user_id)].join(' '),
      );
    },
    /** Waits until no notice of an incident's alarm is pending. */
    async allSent(incidentId: string): Promise<void> {
      const waiting = () =>
        app.db
          .selectFrom('notices')
          .innerJoin('incidents', 'incidents.alarm_no', 'notices.alarm_no')
          .select('notices.no')
          .where('incidents.id', '=', incidentId)
          .where('notices.state', '=', 'pending')
          .execute();
      await until(async () => (await waiting()).length === 0, 'every notice was sent');
    },
    /** Bodies that the paging target receives during a fire drill, in order. */
    async pagedOf(drillId: string): Promise<EventBody[]> {
      const rows = await app.db
        .selectFrom('deliveries')
        .innerJoin('outbox', 'outbox.id', 'deliveries.event_id')
        .select('outbox.body')
        .where('deliveries.target_id', '=', pager.id)
        .where('outbox.incident_id', '=', drillId)
        .orderBy('deliveries.seq')
        .execute();
      return rows.map(({ body }) => JSON.parse(body) as EventBody);
    },
    /** Events of an incident that the paging target receives, in order. */
    async paged(incidentId: string): Promise<string[]> {
      const rows = await app.db
        .selectFrom('deliveries')
        .innerJoin('outbox', 'outbox.id', 'deliveries.event_id')
        .select('deliveries.event')
        .where('deliveries.target_id', '=', pager.id)
        .where('outbox.incident_id', '=', incidentId)
        .orderBy('deliveries.seq')
        .execute();
      return rows.map(({ event }) => event);
    },
  };
}
