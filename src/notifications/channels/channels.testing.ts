// Events as the outbox stores them, for the tests of kinds.
import type { EventName } from '#src/domain/names.ts';
import type { IncidentPayload } from '../event-body.ts';
import type { Channel, EventToRender, Exchange, Group, Message } from './channel.ts';

export const BASE = 'https://tocsin.example.com';

export function incident(fields: Partial<IncidentPayload> = {}): IncidentPayload {
  return {
    id: 'inc_1',
    monitor_id: 'mon_1',
    monitor_name: 'Shop',
    project_id: 'prj_1',
    project_name: 'Web',
    cause: 'expected status 200-299; got 503',
    summary: 'Shop is down',
    status: 'open',
    lifecycle_state: 'triggered',
    severity: 'critical',
    severity_level: null,
    started_at_unix: 1_700_000_000,
    resolved_at_unix: null,
    acknowledged_at_unix: null,
    acknowledged_by_email: null,
    commander_email: null,
    alarm_held_until_unix: null,
    alarm_held_by_name: null,
    auto_resolved: false,
    down_regions: ['local', 'eu-west'],
    region_count: 3,
    evidence: {},
    ...fields,
  };
}

export function event(name: EventName, fields: Partial<EventToRender> = {}): EventToRender {
  return {
    id: 'evt_1',
    event: name,
    created_at_unix: 1_700_000_100,
    organization: { id: 'org_1', name: 'Example', slug: 'example' },
    project: { id: 'prj_1', name: 'Web', slug: 'web' },
    monitor: { id: 'mon_1', name: 'Shop', type: 'http' },
    incident: incident(),
    actor: null,
    ...fields,
  };
}

export const note = (body: string, kind = 'note') => ({
  id: 'note_1',
  body,
  kind,
  visibility: 'internal',
  author_name: 'Anna',
});

export const testEvent = (): EventToRender =>
  event('test', { test: true, incident: null, monitor: null, project: null });

export const maintenance = (
  name: 'maintenance_started' | 'maintenance_ended',
  cancelled = false,
): EventToRender =>
  event(name, {
    incident: null,
    monitor: null,
    maintenance: {
      id: 'mnt_1',
      title: 'New disks',
      body: 'Ten minutes',
      scheduled_start: 1_700_000_000,
      scheduled_end: 1_700_003_600,
      cancelled,
      monitors: Array.from({ length: 12 }, (_, i) => ({ id: `mon_${i}`, name: `Monitor ${i}` })),
    },
  });

/** A storm: this many events, each of its own incident. */
export const storm = (count: number, name: EventName = 'opened', fields: Partial<IncidentPayload> = {}) =>
  Array.from({ length: count }, (_, i) =>
    event(name, {
      id: `evt_${i}`,
      monitor: { id: `mon_${i}`, name: `Monitor ${i}`, type: 'http' },
      incident: incident({ id: `inc_${i}`, monitor_name: `Monitor ${i}`, cause: `cause ${i}`, ...fields }),
    }),
  );

/** Without an earlier message; one alarm woke people for all of it. */
export function group(fields: Partial<Group> = {}): Group {
  const { total = 30, open = 30, unacknowledged = open } = fields;
  return {
    no: 7,
    name: null,
    total,
    open,
    unacknowledged,
    reported: null,
    posted: null,
    paged: [],
    members: [],
    pages: [{ alarmNo: 9, total, open, unacknowledged, worst: 2, mayOpen: true }],
    ...fields,
  };
}

export function message(events: readonly EventToRender[], group: Group | null = null): Message {
  const at = new Date('2026-01-01T00:00:00Z');
  const [first] = events.map(({ actor: _, ...stored }) => stored);
  return {
    events,
    stored: JSON.stringify(first),
    group,
    tryId: 'dlv_1-1-x',
    at,
    baseUrl: BASE,
    language: 'en',
  };
}

/** The requests that a kind makes for a message. */
export function sent(kind: Channel, given: Message, secret: string | null = null): Exchange[] {
  return kind.exchanges(given, { kind: kind.kind, url: 'https://provider.example/in', secret });
}

/** The body of the one request. */
// biome-ignore lint/suspicious/noExplicitAny: what tests look into has a shape of the provider's own
export function bodyOf(kind: Channel, given: Message, secret: string | null = null): any {
  const [one, ...more] = sent(kind, given, secret);
  if (!one || more.length > 0) throw new Error('not exactly one request');
  return JSON.parse(one.body);
}

/** Texts that try to break out: markup, mentions, links, line breaks, directions, broken Unicode, length. */
export const HOSTILE: readonly string[] = [
  '<!channel> <@U123> <https://evil.example|click> & <b>',
  '@channel @all @here @everyone <@&1> <@!2> @anna',
  '*bold* _it_ ~no~ `code` ```block``` ||spoiler|| # head\n> quote\n- list\n1. one',
  '[click](https://evil.example) ![x](http://evil.example/x.png) https://evil.example/a_b_c',
  '{{DATE(2020-01-01T00:00:00Z,SHORT)}} <at>all</at> @{triggerBody()} {{x}} %s',
  '\u202eevil \u2066x\u2069 \u0000\u0007\u001b[31m \ud800 lone',
  'مرحبا بالعالم שלום 世界 👩‍👩‍👧‍👦 é',
  '"quotes" \\backslash\\ \r\nlines\u2028more',
  '👩‍👩‍👧‍👦'.repeat(3000),
  '<'.repeat(20_000),
  '界'.repeat(20_000),
  'line\n'.repeat(4000),
  '"'.repeat(20_000),
];
