// Snapshots of made-up pages, for tests of their documents.
import type { PageLanguage, PageState } from '#src/domain/names.ts';
import type {
  AffectedMonitor,
  PublicDay,
  PublicGroup,
  PublicIncident,
  PublicMonitor,
  PublicNote,
  PublicWindow,
  Shown,
  Snapshot,
} from './snapshot.ts';

export const AT = new Date('2026-11-23T14:05:00Z');
const DAY_MS = 86_400_000;

/** `minutes` before the time of all these snapshots. */
export const ago = (minutes: number): Date => new Date(AT.getTime() - minutes * 60_000);

/** An id of a kind that was created at that time. */
export function idOf(kind: string, no: number, at = AT): string {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz';
  let time = '';
  for (let rest = at.getTime(); time.length < 10; rest = Math.floor(rest / 32))
    time = digits[rest % 32]! + time;
  return `${kind}_${time}${no.toString().padStart(16, '0')}`;
}

export const shownAs = (language: PageLanguage = 'en'): Shown => ({
  path: '/status/acme',
  home: '/status/acme',
  url: 'https://tocsin.example/status/acme',
  publicUrl: 'https://tocsin.example/public/status-pages/acme',
  publicPath: '/public/status-pages/acme',
  language,
});

/** Days that end today; `changes` sets some of them, counted back from today. */
export function daysOf(
  count: number,
  changes: Readonly<Record<number, Partial<PublicDay>>> = {},
): PublicDay[] {
  return Array.from({ length: count }, (_, at) => {
    const back = count - 1 - at;
    return {
      date: new Date(AT.getTime() - back * DAY_MS).toISOString().slice(0, 10),
      uptimePct: 100,
      downtimeSeconds: 0,
      maintenanceSeconds: 0,
      ...changes[back],
    };
  });
}

/** Numbers that look measured, the same each time. */
const wave = (count: number, seed: number): number[] =>
  Array.from(
    { length: count },
    (_, at) => 90 + seed * 7 + 30 * Math.sin(at / 5 + seed) + ((at * 37 * (seed + 3)) % 23),
  );

export function monitorOf(no: number, label: string, given: Partial<PublicMonitor> = {}): PublicMonitor {
  const windowDays = given.windowDays ?? 90;
  return {
    id: idOf('mon', no),
    label,
    state: 'operational',
    windowDays,
    uptimePct: 100,
    days: daysOf(windowDays),
    sparkline: wave(48, no % 9),
    chart: {
      fromMs: AT.getTime() - windowDays * DAY_MS,
      bucketMs: DAY_MS,
      averagesMs: wave(windowDays, no % 9),
    },
    ...given,
  };
}

export const groupOf = (
  name: string,
  monitors: PublicMonitor[],
  state: PageState = 'operational',
  collapsed = false,
): PublicGroup => ({ name, collapsed, state, monitors });

const SHOWN = ['Website', 'Checkout', 'Orders API', 'Warehouse'];

/** The monitors of `snapshotOf` with these labels, as those that an incident or a window affects. */
export const affectedBy = (labels: readonly string[]): AffectedMonitor[] =>
  labels.map((label) => ({ id: idOf('mon', SHOWN.indexOf(label) + 1), label }));

export const noteOf = (
  no: number,
  minutes: number,
  body: string,
  kind: PublicNote['kind'] = 'status_update',
) => ({
  id: idOf('nte', no),
  kind,
  body,
  at: ago(minutes),
});

export const incidentOf = (no: number, given: Partial<PublicIncident> = {}): PublicIncident => ({
  id: idOf('inc', no),
  monitors: affectedBy(['Checkout']),
  severity: 'critical',
  acknowledgedAt: null,
  startedAt: ago(42),
  resolvedAt: null,
  notes: [],
  postmortem: null,
  ...given,
});

export const windowOf = (no: number, given: Partial<PublicWindow> = {}): PublicWindow => ({
  id: idOf('mwn', no, ago(3 * 1440)),
  title: 'Database upgrade',
  body: 'Orders may be slow for a few minutes.',
  startsAt: ago(-1440),
  endsAt: ago(-1500),
  state: 'upcoming',
  cancelledAt: null,
  changedAt: ago(3 * 1440),
  monitors: affectedBy(['Checkout', 'Orders API']),
  ...given,
});

export function snapshotOf(given: Partial<Snapshot> = {}, page: Partial<Snapshot['page']> = {}): Snapshot {
  return {
    page: {
      id: idOf('stp', 1),
      orgId: idOf('org', 1),
      name: 'Acme',
      slug: 'acme',
      description: 'How the services of Acme are doing.\nThis page says what is wrong, and since when.',
      headline: 'Acme service status',
      headerNav: [
        { label: 'Website', href: 'https://acme.example/' },
        { label: 'Support', href: 'mailto:help@acme.example' },
      ],
      timezone: 'Europe/Berlin',
      hidesBrand: false,
      hasLogo: false,
      hasLogoDark: false,
      accessMode: 'public',
      subscribable: true,
      ...page,
    },
    at: AT,
    state: 'operational',
    groups: [
      groupOf('Shop', [monitorOf(1, 'Website'), monitorOf(2, 'Checkout'), monitorOf(3, 'Orders API')]),
      groupOf('Internal tools', [monitorOf(4, 'Warehouse')], 'operational', true),
    ],
    incidents: [],
    maintenance: [],
    ...given,
  };
}
