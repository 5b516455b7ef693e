// Reads the public data of a status page: few statements, over roll-ups and never over raw checks of the past.
import { pageState, sharedState } from '#src/domain/page-state.ts';
import type { Database } from '#src/platform/work.ts';
import type { Figures } from './read-figures.ts';
import { readIncidents, readMaintenance } from './read-past-and-planned.ts';
import { type NamedState, readStates } from './read-states.ts';
import type { ShownMonitor, ShownPage } from './shown-page.ts';
import type { PublicMonitor, Snapshot } from './snapshot.ts';

export type SnapshotOf = {
  page: ShownPage;
  monitors: readonly ShownMonitor[];
  figures: Figures;
  /** Whether this installation can send mails. */
  canMail: boolean;
};

/** A monitor that is on the page. */
export type NamedMonitor = { no: number; id: string; label: string };

/**
 * A snapshot at `now`, and the numbers of its monitors in the database. Leaves out monitors that were deleted meanwhile, or
 * belong to another organization.
 */
export async function readSnapshot(
  db: Database,
  { page, monitors, figures, canMail }: SnapshotOf,
  now: Date,
): Promise<{ snapshot: Snapshot; named: NamedMonitor[] }> {
  const nos = monitors.map(({ no }) => no);
  const states = await readStates(db, page.org_id, nos, now);
  const there = monitors.flatMap((shown) => {
    const named = states.get(shown.no);
    return named ? [{ shown, named, label: shown.display_name ?? named.name }] : [];
  });
  const affected = new Map(there.map(({ named, label }) => [named.no, { id: named.id, label }]));
  const [incidents, maintenance] = await Promise.all([
    readIncidents(db, page.id, affected, now),
    readMaintenance(db, page.org_id, affected, now),
  ]);
  const groups = [...Map.groupBy(there, ({ shown, named }) => shown.group_label ?? named.project)].map(
    ([name, of]) => ({
      name,
      collapsed: page.collapsed_groups.includes(name),
      state: sharedState(of.map(({ named }) => named.state)),
      monitors: of.map(({ shown, named, label }) => publicMonitor(shown, named, label, figures)),
    }),
  );
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null).map(({ severity }) => severity);
  const snapshot: Snapshot = {
    page: {
      id: page.id,
      orgId: page.org_id,
      name: page.name,
      slug: page.slug,
      description: page.description,
      headline: page.headline,
      headerNav: page.header_nav,
      timezone: page.timezone,
      hidesBrand: page.hide_platform_brand,
      hasLogo: page.has_logo,
      hasLogoDark: page.has_logo_dark,
      // Only its editors see a draft, in the state that visitors will see.
      accessMode: page.access_mode === 'draft' ? 'public' : page.access_mode,
      subscribable: canMail,
    },
    at: now,
    state: pageState(
      there.map(({ named }) => named.state),
      open,
    ),
    groups,
    incidents,
    maintenance,
  };
  return { snapshot, named: there.map(({ named, label }) => ({ no: named.no, id: named.id, label })) };
}

function publicMonitor(
  shown: ShownMonitor,
  { id, state, isTimed }: NamedState,
  label: string,
  figures: Figures,
): PublicMonitor {
  const own = figures.byNo.get(shown.no);
  return {
    id,
    label,
    state,
    windowDays: shown.uptime_window_days,
    uptimePct: own?.uptimePct ?? null,
    days: shown.show_uptime_bars ? (own?.days ?? null) : null,
    sparkline: isTimed ? (own?.sparkline ?? null) : null,
    chart: isTimed ? (own?.chart ?? null) : null,
  };
}
