// Made-up pages in every state that a page can have, for tests of all of them.

import {
  affectedBy,
  ago,
  daysOf,
  groupOf,
  incidentOf,
  monitorOf,
  noteOf,
  snapshotOf,
  windowOf,
} from './snapshot.testing.ts';
import type { PublicMonitor, Snapshot } from './snapshot.ts';

const DAY = 1440;

const troubled = daysOf(90, {
  0: { uptimePct: 97.08, downtimeSeconds: 2520 },
  11: { uptimePct: 99.84, downtimeSeconds: 138 },
  12: { maintenanceSeconds: 7200 },
  33: { uptimePct: 99.31, downtimeSeconds: 598, maintenanceSeconds: 1800 },
  60: { uptimePct: 71.2, downtimeSeconds: 24_883 },
});
const young = daysOf(
  90,
  Object.fromEntries(Array.from({ length: 71 }, (_, at) => [at + 19, { uptimePct: null }])),
);

const POSTMORTEM = {
  title: 'Orders were refused for 58 minutes',
  summary:
    'A certificate of the payment gateway expired at night.\nRenewal had failed silently for three weeks.',
  impact: 'About 4 % of the orders of the night were refused. None were lost.',
  rootCause: 'The renewal ran under an account that had lost its rights.',
  contributingFactors: 'The warning about the expiry went to a mailbox that nobody reads.',
  whatWentWell: 'The on-call engineer was awake within two minutes.',
  whatWentWrong: '',
  lessons: 'Certificates are checked from outside now, and warn 21 days ahead.',
  publishedAt: ago(5 * DAY),
  changedAt: ago(5 * DAY),
};

const resolved = [
  incidentOf(21, {
    monitors: affectedBy(['Orders API']),
    acknowledgedAt: ago(6 * DAY - 2),
    startedAt: ago(6 * DAY),
    resolvedAt: ago(6 * DAY - 58),
    notes: [noteOf(210, 6 * DAY - 58, 'The certificate is renewed and all orders go through again.')],
    postmortem: POSTMORTEM,
  }),
  incidentOf(22, {
    monitors: affectedBy(['Website', 'Checkout', 'Orders API']),
    severity: 'degraded',
    startedAt: ago(11 * DAY),
    resolvedAt: ago(11 * DAY - 3),
  }),
  incidentOf(23, {
    severity: 'default',
    monitors: affectedBy([]),
    startedAt: ago(70 * DAY),
    resolvedAt: ago(70 * DAY - 600),
  }),
];

export const operational = (): Snapshot =>
  snapshotOf({
    incidents: resolved,
    maintenance: [
      windowOf(1, { monitors: affectedBy(['Orders API']) }),
      windowOf(2, {
        title: 'Move to the new data centre',
        startsAt: ago(-9 * DAY),
        endsAt: ago(-9 * DAY - 180),
        cancelledAt: ago(2 * DAY),
        body: '',
      }),
      windowOf(3, {
        state: 'past',
        startsAt: ago(4 * DAY),
        endsAt: ago(4 * DAY - 90),
        title: 'Network works',
      }),
    ],
    groups: [
      groupOf('Shop', [
        monitorOf(1, 'Website', { uptimePct: 99.9987 }),
        monitorOf(2, 'Checkout', {
          uptimePct: 99.674,
          days: troubled.with(89, { ...troubled[89]!, uptimePct: 100, downtimeSeconds: 0 }),
        }),
        monitorOf(3, 'Orders API', {
          windowDays: 365,
          days: daysOf(365, { 40: { uptimePct: 98, downtimeSeconds: 1728 } }),
        }),
        monitorOf(5, 'Status mails', { windowDays: 7, chart: null, sparkline: null }),
        monitorOf(6, 'Search', { windowDays: 30, days: null }),
      ]),
      groupOf('Internal tools', [monitorOf(4, 'Warehouse', { days: young })], 'operational', true),
    ],
  });

export const outage = (): Snapshot =>
  snapshotOf({
    state: 'partial_outage',
    incidents: [
      incidentOf(1, {
        acknowledgedAt: ago(38),
        notes: [
          noteOf(
            1,
            4,
            'We have found the cause: the payment provider refuses our connections.\n\nWe are moving to the second provider now. That takes about 20 minutes.',
          ),
          noteOf(2, 18, 'Payments by card fail. Payments by bank transfer work.'),
          noteOf(3, 31, 'Somebody looks at it.', 'note'),
          noteOf(4, 39, 'We see errors in the checkout.'),
        ],
      }),
      ...resolved,
    ],
    groups: [
      groupOf(
        'Shop',
        [
          monitorOf(1, 'Website', { state: 'degraded', uptimePct: 99.99 }),
          monitorOf(2, 'Checkout', { state: 'major_outage', days: troubled, uptimePct: 99.674 }),
          monitorOf(3, 'Orders API'),
        ],
        'partial_outage',
      ),
      groupOf('Internal tools', [monitorOf(4, 'Warehouse', { days: young })], 'operational', true),
    ],
  });

export const maintained = (): Snapshot =>
  snapshotOf({
    state: 'maintenance',
    groups: [
      groupOf(
        'Shop',
        [monitorOf(1, 'Website'), monitorOf(2, 'Checkout', { state: 'maintenance' })],
        'maintenance',
      ),
    ],
    maintenance: [
      windowOf(1, {
        state: 'active',
        startsAt: ago(20),
        endsAt: ago(-40),
        monitors: affectedBy(['Checkout']),
      }),
      ...Array.from({ length: 7 }, (_, at) =>
        windowOf(2 + at, {
          startsAt: ago(-(at + 2) * 7 * DAY),
          endsAt: ago(-(at + 2) * 7 * DAY - 60),
          body: '',
        }),
      ),
    ],
  });

export const unknown = (): Snapshot =>
  snapshotOf(
    {
      state: 'no_data',
      groups: [
        groupOf(
          'Shop',
          [
            monitorOf(1, 'Website', {
              state: 'no_data',
              uptimePct: null,
              days: daysOf(90).map((day) => ({ ...day, uptimePct: null })),
              sparkline: Array<null>(48).fill(null),
              chart: null,
            }),
          ],
          'no_data',
        ),
      ],
    },
    { description: null, headline: null, headerNav: [], timezone: 'UTC' },
  );

const NAMES = [
  'Payments',
  'نظام الدفع الإلكتروني',
  'A service with a name so long that nobody would ever give it in earnest, but that somebody gives it all the same one day',
  'שירות הזמנות',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  'api.eu-central-1.production.internal.acme.example',
];

export const huge = (): Snapshot =>
  snapshotOf({
    state: 'partial_outage',
    incidents: Array.from({ length: 10 }, (_, at) =>
      incidentOf(30 + at, {
        monitors: affectedBy([NAMES[at % NAMES.length]!, ...(at % 3 === 0 ? ['Website', 'Checkout'] : [])]),
        severity: (['critical', 'default', 'degraded'] as const)[at % 3]!,
        acknowledgedAt: at % 2 === 0 ? ago(1) : null,
        startedAt: ago(10 + at * 47),
        notes: at % 4 === 0 ? [noteOf(300 + at, 5, 'لدينا مشكلة في الدفع.\nنعمل على حلها (Payments).')] : [],
      }),
    ),
    groups: Array.from({ length: 8 }, (_, at) =>
      groupOf(
        at === 1 ? 'خدمات الدفع' : `Region ${at + 1}`,
        Array.from({ length: 25 }, (_each, no) => oneOfMany(at * 25 + no)),
        at % 3 === 0 ? 'partial_outage' : 'operational',
        at > 1,
      ),
    ),
  });

function oneOfMany(no: number): PublicMonitor {
  const bad = no % 7 === 0;
  return monitorOf(no, no % 4 === 0 ? NAMES[(no / 4) % NAMES.length]! : `Service ${no}`, {
    state: bad && no % 3 === 0 ? 'major_outage' : 'operational',
    uptimePct: bad ? 99.2 - (no % 5) / 100 : 100 - (no % 11) / 3000,
    days: bad
      ? daysOf(90, { [no % 90]: { uptimePct: 95 + (no % 4), downtimeSeconds: 1000 + no * 13 } })
      : daysOf(90),
  });
}

export const SCENES: Readonly<Record<string, () => Snapshot>> = {
  operational,
  outage,
  maintained,
  unknown,
  huge,
};
