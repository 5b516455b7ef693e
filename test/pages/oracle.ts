// What must become of monitors, incidents and maintenance, and what a page must show of them: docs/rules/status-pages.md, and of
// docs/rules/confirmation.md what its monitors need, written down a second time, and nothing of src in it.
import { makeMailOracle } from './mail-oracle.ts';
import type { Incident, Monitor, Page, Severity, Status, Window } from './things.ts';
import { uptimeOf } from './uptime.ts';

/** How long a check speaks: three intervals and the timeout. */
export const INTERVAL = 3600;
const SPOKEN = 3 * INTERVAL + 10;

export type State =
  | 'operational'
  | 'degraded'
  | 'partial_outage'
  | 'major_outage'
  | 'maintenance'
  | 'no_data';

export type Oracle = ReturnType<typeof makeOracle>;

export function makeOracle(
  names: { monitors: readonly string[]; projects: [string, string] },
  madeAt: number,
) {
  const monitors = names.monitors.map(
    (name, of): Monitor => ({
      ...{ of, name, project: 0, enabled: true, deleted: false, tagged: false, last: null, doubtful: false },
      ...{ checkedAt: 0, outage: null, spoken: [], enabledSince: madeAt, enabledTimes: [] },
    }),
  );
  const projects = names.projects;
  /** Newest first, as windows are. */
  const incidents: Incident[] = [];
  const windows: Window[] = [];
  const pages: Page[] = [];
  const mails = makeMailOracle({ labelOf, shownOn, isOn });

  const one = (of: number) => monitors[of]!;
  const covers = ({ start, end, cancelled }: Window, at: number) => !cancelled && start <= at && at < end;
  const maintained = (of: number, now: number) =>
    windows.some((each) => each.of.has(of) && covers(each, now));
  const openOf = (of: number) =>
    incidents.filter((each) => each.of === of && each.resolved === null && !each.discarded);
  const automaticOf = (of: number) => openOf(of).find(({ isAutomatic }) => isAutomatic);

  function shownOn({ entries, tagged }: Page): { of: number; label: string; group: string }[] {
    const there = entries.filter(({ of }) => !one(of).deleted);
    const byTag = monitors
      .filter((each) => tagged && each.tagged && !each.deleted && !there.some(({ of }) => of === each.of))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return [...there, ...byTag.map(({ of }) => ({ of, display: null, group: null }))].map((each) => ({
      of: each.of,
      label: each.display ?? one(each.of).name,
      group: each.group ?? projects[one(each.of).project]!,
    }));
  }
  function labelOf(page: Page, of: number): string | undefined {
    return shownOn(page).find((each) => each.of === of)?.label;
  }
  function isOn(page: Page, of: Iterable<number>): boolean {
    return [...of].some((each) => labelOf(page, each) !== undefined);
  }

  function open(of: number, started: number, now: number): void {
    const links = new Map<Page, number>();
    const incident: Incident = {
      ...{ id: null, of, isAutomatic: true, severity: 'default', started, resolved: null },
      ...{ acknowledged: false, discarded: false, notes: [], links },
    };
    incidents.unshift(incident);
    for (const page of pages)
      if (!page.archived && page.autoLink && labelOf(page, of) !== undefined) links.set(page, now);
    for (const page of links.keys()) mails.incident(page, 'New incident', incident, now);
  }

  /** An outage opens its incident as soon as there is no maintenance. */
  function settle(now: number): void {
    for (const { of, outage, enabled, deleted } of monitors)
      if (outage !== null && enabled && !deleted && !automaticOf(of) && !maintained(of, now))
        open(of, outage, now);
  }

  function close(incident: Incident, now: number): void {
    incident.resolved = now;
    for (const page of incident.links.keys()) mails.incident(page, 'Incident resolved', incident, now);
  }

  /** What a window says, and whom it is for, is written: `events` of it took effect. */
  function written(before: Window | null, after: Window | null, now: number): void {
    const window = (after ?? before)!;
    const isOver = window.end <= now;
    const wasOn = before?.on ?? false;
    const isActive = after !== null && covers(after, now);
    if (after) after.on = isActive;
    const turned = wasOn !== isActive;
    if (!window.isPublic) return;
    const left = new Set(before?.isPublic && after ? [...before.of].filter((of) => !after.of.has(of)) : []);
    const announce = (kind: Parameters<typeof mails.window>[1]) => {
      if (window.series !== null && !turned) return;
      for (const page of pages) mails.window(page, kind, { window, left }, now);
    };
    if (after === null) {
      if (before && !before.cancelled && !isOver) announce('Maintenance cancelled');
    } else if (after.cancelled) {
      if (!before?.cancelled && !isOver) announce('Maintenance cancelled');
    } else if (turned) {
      const isPutOff = after.start > now;
      announce(isPutOff ? 'Maintenance changed' : isActive ? 'Maintenance started' : 'Maintenance ended');
    } else if (!isOver) announce(before?.isPublic ? 'Maintenance changed' : 'Maintenance planned');
  }

  const says = ({ title, body, start, end, of, isPublic }: Window) =>
    JSON.stringify([title, body, start, end, [...of].sort(), isPublic]);

  function stateOf(of: number, now: number): State {
    const { enabled, last, outage } = one(of);
    if (!enabled) return 'no_data';
    const isPlanned = windows.some((each) => each.isPublic && each.of.has(of) && covers(each, now));
    if (isPlanned && openOf(of).length === 0) return 'maintenance';
    if (last === null) return 'no_data';
    if (outage !== null || openOf(of).some(({ isAutomatic }) => !isAutomatic)) return 'major_outage';
    return last === 'up' ? 'operational' : 'degraded';
  }

  return {
    ...{ monitors, projects, incidents, windows, pages, mails, settle },
    addPage(page: Page): void {
      pages.push(page);
    },
    /** Time has passed to `now`; call it at every time of `turns`. */
    tick(now: number): void {
      for (const window of windows) {
        if (window.on !== covers(window, now)) written(window, window, now);
      }
      settle(now);
    },
    turns: (after: number): number[] =>
      [...windows.flatMap(({ start, end }) => [start, end]), ...mails.turns()].filter((at) => at > after),
    check(of: number, status: Status, now: number): boolean {
      const each = one(of);
      if (each.deleted || !each.enabled || each.checkedAt === now) return false;
      each.checkedAt = now;
      each.spoken.push([now, now + SPOKEN]);
      each.last = status;
      if (status === 'down') each.outage ??= now;
      else {
        each.outage = null;
        each.doubtful = false;
        const incident = automaticOf(of);
        if (incident) close(incident, now);
      }
      settle(now);
      return true;
    },
    switchTo(of: number, on: boolean, now: number): void {
      const each = one(of);
      if (each.enabled === on) return;
      each.enabled = on;
      if (on) each.enabledSince = now;
      else {
        each.enabledTimes.push([each.enabledSince, now]);
        for (const incident of openOf(of)) close(incident, now);
        each.outage = null;
      }
    },
    delete(of: number, now: number): void {
      for (const incident of openOf(of)) close(incident, now);
      mails.forgetMonitor(of);
      one(of).deleted = true;
      one(of).outage = null;
      for (let i = incidents.length - 1; i >= 0; i--) if (incidents[i]!.of === of) incidents.splice(i, 1);
      for (const window of windows) window.of.delete(of);
      for (const page of pages) page.entries = page.entries.filter((each) => each.of !== of);
    },
    declare(id: string, of: number | null, severity: Severity, now: number): void {
      incidents.unshift({
        ...{ id, of, isAutomatic: false, severity, started: now, resolved: null, acknowledged: false },
        ...{ discarded: false, notes: [], links: new Map() },
      });
    },
    resolve(incident: Incident, now: number): void {
      if (incident.resolved !== null) return;
      close(incident, now);
      if (incident.isAutomatic) one(incident.of!).outage = null;
    },
    link(incident: Incident, page: Page, now: number): void {
      if (incident.links.has(page)) return;
      incident.links.set(page, now);
      mails.incident(page, 'New incident', incident, now);
    },
    note(incident: Incident, text: string, isPublic: boolean, now: number): void {
      incident.notes.unshift({ text, isPublic, at: now });
      if (!isPublic) return;
      for (const page of incident.links.keys())
        mails.incident(page, 'Update on an incident', incident, now, text);
    },
    plan(window: Window, now: number): void {
      windows.unshift(window);
      // Of a repetition only windows that begin at once take effect.
      written(null, window, now);
      settle(now);
    },
    rewrite(window: Window, change: Partial<Window>, now: number): void {
      const before = { ...window, of: new Set(window.of) };
      Object.assign(window, change);
      if (says(before) !== says(window) || before.cancelled !== window.cancelled) window.changed = now;
      if (before.cancelled || says(before) !== says(window) || window.cancelled) written(before, window, now);
      settle(now);
    },
    unplan(window: Window, now: number): void {
      windows.splice(windows.indexOf(window), 1);
      written(window, null, now);
      settle(now);
    },
    uptime: (of: number, now: number) =>
      uptimeOf({ monitor: one(of), windows, incidents, from: madeAt, now }),
    /** What a page that visitors can see must show. */
    shown(page: Page, now: number) {
      const there = shownOn(page);
      const labels = (of: Iterable<number>) => [...of].flatMap((each) => labelOf(page, each) ?? []).sort();
      const on = incidents.filter((each) => each.links.has(page) && !each.discarded);
      const planned = windows.filter((each) => each.isPublic && isOn(page, each.of));
      const groups = [...Map.groupBy(there, ({ group }) => group)].map(([name, of]) => ({
        name,
        state: sharedState(of.map((each) => stateOf(each.of, now))),
        monitors: of.map((each) => [each.of, each.label, stateOf(each.of, now)] as const),
      }));
      return {
        name: page.name,
        slug: page.slug,
        state: raised(
          sharedState(there.map(({ of }) => stateOf(of, now))),
          on.filter(({ resolved }) => resolved === null),
        ),
        groups,
        incidents: on.map((each) => ({
          ...{ id: each.id, labels: labels(each.of === null ? [] : [each.of]) },
          ...{ started: each.started, resolved: each.resolved, severity: each.severity },
          acknowledged: each.acknowledged,
          notes: each.notes.filter(({ isPublic }) => isPublic).map(({ text, at }) => [text, at]),
        })),
        windows: planned.map((each) => ({
          ...{ id: each.id, title: each.title, body: each.body, start: each.start, end: each.end },
          ...{ cancelled: each.cancelled, changed: each.changed, labels: labels(each.of) },
          state: each.cancelled || each.end <= now ? 'past' : each.start > now ? 'upcoming' : 'active',
        })),
      };
    },
  };
}

function sharedState(states: readonly State[]): State {
  const reporting = states.filter((state) => state !== 'no_data');
  if (reporting.length === 0) return 'no_data';
  const failed = reporting.filter((state) => state === 'major_outage').length;
  if (failed >= reporting.length / 2) return 'major_outage';
  if (failed > 0) return 'partial_outage';
  return (['degraded', 'maintenance'] as const).find((state) => reporting.includes(state)) ?? 'operational';
}

/** An open incident raises a page to this state at least. */
function raised(state: State, open: readonly Incident[]): State {
  if (state === 'major_outage' || state === 'partial_outage') return state;
  if (open.some(({ severity }) => severity === 'critical')) return 'partial_outage';
  return open.length > 0 ? 'degraded' : state;
}
