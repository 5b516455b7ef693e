// What `npm test` leaves to `npm run test:long`, so that it takes less than eight minutes on two processors: a seventh of the
// files, and half of the time. CI runs both (.ci/run).

/** Packs, installs, upgrades, splits or kills whole programs, and waits for what comes of it. */
const PROGRAMS = [
  'src/installation-backup/before-migration.test.ts',
  'src/platform/db/embedded.test.ts',
  'src/supervise/hang-detection.test.ts',
  'test/journeys/agents/agent-process.test.ts',
  'test/journeys/agents/install.test.ts',
  'test/journeys/agents/upgrade.test.ts',
  'test/journeys/edge/crashes.test.ts',
  'test/journeys/edge/external-proxy.test.ts',
  'test/journeys/edge/multiple-edges.test.ts',
  'test/journeys/edge/serving.test.ts',
  'test/journeys/installing/tarball.test.ts',
  'test/journeys/regions/probe-failover.test.ts',
  'test/journeys/regions/probe-single-file.test.ts',
  'test/journeys/regions/region-command.test.ts',
  'test/journeys/server/backup-commands.test.ts',
  'test/journeys/server/backup-file.test.ts',
  'test/journeys/server/database-hangs.test.ts',
  'test/journeys/server/kill.test.ts',
  'test/journeys/server/partition.test.ts',
  'test/journeys/server/pooler.test.ts',
  'test/journeys/server/roles.test.ts',
  'test/monitor-type-recipe.test.ts',
];

/** A browser's tests but for the main way through monitors, incidents, on-call and status pages. */
const BROWSER = [
  ...[
    'account',
    'alarm-policy',
    'all-monitors',
    'changed-meanwhile',
    'charts',
    'check-details',
    'deleted-meanwhile',
    'doctor',
    'every-view',
    'fire-drill',
    'focus',
    'group-words',
    'hosts',
    'late-answers',
    'layout',
    'lists',
    'live-views',
    'loading',
    'loud-alarm',
    'maintenance',
    'maintenance-repeats',
    'organization',
    'overview',
    'overview-and-wall',
    'palette',
    'policy-replay',
    'quick-readers',
    'regions',
    'renamed-meanwhile',
    'reports',
    'status-page-domains',
    'warnings',
  ].map((view) => `test/journeys/dashboard/${view}.test.ts`),
  'test/journeys/accounts/passkeys.test.ts',
  'test/journeys/edge/browser.test.ts',
  'test/journeys/status-pages/documents.test.ts',
];

/** Months of results, every limit of a rate, random walks, attacks. */
const MANY_STEPS = [
  'test/journeys/agents/host-walks.test.ts',
  'test/journeys/access/rate-limits.test.ts',
  'test/journeys/confirmation/group-walks.test.ts',
  'test/journeys/confirmation/heartbeat-walks.test.ts',
  'test/journeys/confirmation/replays.test.ts',
  'test/journeys/figures/list-figures.test.ts',
  'test/journeys/figures/maintenance-figures.test.ts',
  'test/journeys/figures/report-document.test.ts',
  'test/journeys/figures/report-mails.test.ts',
  'test/journeys/figures/rollup.test.ts',
  'test/journeys/figures/series-at-scale.test.ts',
  'test/journeys/incidents/maintenance-walks.test.ts',
  'test/journeys/incidents/races.test.ts',
  'test/journeys/monitors/cached-lists.test.ts',
  'test/journeys/notifications/storm-walks.test.ts',
  'test/journeys/on-call/alarm-storm-chain.test.ts',
  'test/journeys/on-call/on-call-walks.test.ts',
  'test/journeys/server/silence-walks.test.ts',
  'test/journeys/status-pages/page-walks.test.ts',
];

const LONG: readonly string[] = [...PROGRAMS, ...BROWSER, ...MANY_STEPS];

/** Whether `npm test` leaves a file to `npm run test:long`. The smaller sieges run there, the larger in `npm run siege` alone. */
export const isLong = (file: string): boolean => LONG.includes(file) || file.startsWith('test/siege/');

/** Those of the list that are no file of ours: it names what was moved or deleted. */
export const strangersAmong = (files: readonly string[]): string[] =>
  LONG.filter((file) => !files.includes(file));
