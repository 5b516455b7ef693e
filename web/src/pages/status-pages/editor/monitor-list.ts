// The monitors of a status page in the editor: in order, with each group contiguous. Pure.
import type { UptimeWindowDays } from '#src/domain/names.ts';
import { UPTIME_WINDOW_DAYS } from '#src/domain/names.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import type { StatusPageMonitor, setStatusPageMonitors } from '#src/status-pages/contract.ts';

export type ShownMonitor = {
  id: string;
  project: string;
  /** Its name in the dashboard; null: only the page's name for it is known. */
  name: string | null;
  /** '': its own name. */
  displayName: string;
  /** null: the group of its project. */
  groupLabel: string | null;
  sparkline: boolean;
  bars: boolean;
  chart: boolean;
  windowDays: UptimeWindowDays;
};

export type Display = Pick<ShownMonitor, 'sparkline' | 'bars' | 'chart' | 'windowDays'>;

const NEW: Display = { sparkline: true, bars: true, chart: true, windowDays: 90 };

/** The group that contains a monitor. */
export const groupOf = ({ groupLabel, project }: Pick<ShownMonitor, 'groupLabel' | 'project'>): string =>
  groupLabel ?? project;

/** The names of groups, in order. */
export const groupsOf = (list: readonly ShownMonitor[]): string[] => [...new Set(list.map(groupOf))];

/** The monitors of a page by position; a group is placed where its first monitor is. */
export const listOf = (shown: readonly StatusPageMonitor[]): ShownMonitor[] =>
  together(
    shown
      .toSorted((a, b) => a.sort_order - b.sort_order)
      .map((each) => ({
        id: each.monitor,
        project: each.project,
        name: each.display_name === null ? each.label : null,
        displayName: each.display_name ?? '',
        groupLabel: each.group_label,
        sparkline: each.show_sparkline,
        bars: each.show_uptime_bars,
        chart: each.show_uptime_chart,
        windowDays: UPTIME_WINDOW_DAYS.find((days) => days === each.uptime_window_days) ?? NEW.windowDays,
      })),
  );

/** The monitors as the API expects them. */
export const monitorsBody = (
  list: readonly ShownMonitor[],
): BodyOf<typeof setStatusPageMonitors>['monitors'] =>
  list.map((each, at) => ({
    monitor_id: each.id,
    display_name: each.displayName.trim() === '' ? null : each.displayName.trim(),
    group_label: each.groupLabel,
    show_sparkline: each.sparkline,
    show_uptime_bars: each.bars,
    show_uptime_chart: each.chart,
    sort_order: at,
    uptime_window_days: each.windowDays,
  }));

const together = (list: readonly ShownMonitor[]): ShownMonitor[] =>
  [...Map.groupBy(list, groupOf).values()].flat();

const inGroup = <Item extends ShownMonitor>(item: Item, group: string): Item => ({
  ...item,
  groupLabel: group === item.project ? null : group,
});

/** Appends new monitors to the groups of their projects. */
export const added = (
  list: readonly ShownMonitor[],
  monitors: readonly { id: string; name: string; project: string }[],
): ShownMonitor[] =>
  together([...list, ...monitors.map((each) => ({ ...each, ...NEW, displayName: '', groupLabel: null }))]);

export const changed = (
  list: readonly ShownMonitor[],
  id: string,
  change: Partial<ShownMonitor>,
): ShownMonitor[] => together(list.map((each) => (each.id === id ? { ...each, ...change } : each)));

/** Moves a monitor one place up (-1) or down (1). At the edge of its group it enters the adjacent one. */
export function moveByOne(list: readonly ShownMonitor[], id: string, by: -1 | 1): ShownMonitor[] {
  const at = list.findIndex((each) => each.id === id);
  const [item, other] = [list[at], list[at + by]];
  if (item === undefined || other === undefined) return [...list];
  if (groupOf(item) !== groupOf(other))
    return list.map((each) => (each.id === id ? inGroup(each, groupOf(other)) : each));
  return list.with(at, other).with(at + by, item);
}

/** Moves a monitor to the place, and into the group, of another. */
export function moveToPlaceOf(list: readonly ShownMonitor[], id: string, overId: string): ShownMonitor[] {
  const [from, to] = [id, overId].map((each) => list.findIndex((item) => item.id === each));
  const [item, over] = [list[from ?? -1], list[to ?? -1]];
  if (item === undefined || over === undefined || item === over) return [...list];
  const rest = list.filter((each) => each.id !== id);
  return rest.toSpliced(to ?? 0, 0, inGroup(item, groupOf(over)));
}

/** Moves a monitor to the end of another group, or into a new one. */
export const moveToGroup = (list: readonly ShownMonitor[], id: string, group: string): ShownMonitor[] => {
  const item = list.find((each) => each.id === id);
  if (item === undefined || groupOf(item) === group) return [...list];
  return together([...list.filter((each) => each.id !== id), inGroup(item, group)]);
};

/** Renames a group; if the name exists, the two groups merge. */
export const renameGroup = (list: readonly ShownMonitor[], group: string, name: string): ShownMonitor[] =>
  together(list.map((each) => (groupOf(each) === group ? inGroup(each, name) : each)));

/** Moves a whole group one place up or down. */
export function moveGroup(list: readonly ShownMonitor[], group: string, by: -1 | 1): ShownMonitor[] {
  const groups = groupsOf(list);
  const at = groups.indexOf(group);
  const other = groups[at + by];
  if (at < 0 || other === undefined) return [...list];
  const byGroup = Map.groupBy(list, groupOf);
  return groups
    .with(at, other)
    .with(at + by, group)
    .flatMap((each) => byGroup.get(each) ?? []);
}

/** Gives all monitors the same parts and window. */
export const withSameDisplay = (
  list: readonly ShownMonitor[],
  { sparkline, bars, chart, windowDays }: Display,
) => list.map((each) => ({ ...each, sparkline, bars, chart, windowDays }));
