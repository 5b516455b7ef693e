// What of the monitors of all projects is shown, and how it is grouped: kept in the address, so that it can be sent to
// somebody. Pure.
import { MONITOR_STATES, MONITOR_TYPES, type MonitorState, type MonitorType } from '#src/domain/names.ts';
import type { ListedMonitor } from '#src/monitors/all/contract.ts';

export const GROUPINGS = ['project', 'type', 'tag'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export type AllSearch = {
  text?: string;
  state?: MonitorState;
  project?: string;
  type?: MonitorType;
  tag?: string;
  group?: Grouping;
};

const word = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** Reads the search of an address; what is not understood is left out. */
export function readAllSearch(search: Record<string, unknown>): AllSearch {
  const read: AllSearch = {
    text: word(search.text),
    state: MONITOR_STATES.find((each) => each === search.state),
    project: word(search.project),
    type: MONITOR_TYPES.find((each) => each === search.type),
    tag: word(search.tag),
    group: GROUPINGS.find((each) => each === search.group),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Whether anything narrows the list. */
export const isNarrowed = ({ text, state, project, type, tag }: AllSearch): boolean =>
  [text, state, project, type, tag].some((each) => each !== undefined);

/** A monitor of the list with what it shows. */
export type Line = { monitor: ListedMonitor; state: MonitorState };

/** Whether a line passes the filters, its state aside: that one has counts of what the others leave. */
export function passes({ monitor }: Line, { text = '', project, type, tag }: AllSearch): boolean {
  if (project !== undefined && monitor.project_id !== project) return false;
  if (type !== undefined && monitor.type !== type) return false;
  if (tag !== undefined && !monitor.tags.includes(tag)) return false;
  const words = [monitor.name, monitor.target, monitor.type, ...monitor.tags, ...monitor.regions];
  return words.join(' ').toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
}

export type Item =
  | { kind: 'group'; key: string; name: string; count: number; worst: MonitorState }
  | { kind: 'monitor'; key: string; line: Line };

/** The words that groups are headed by. */
export type Headings = { project: (id: string) => string; type: (type: string) => string; untagged: string };

const rank = ({ state }: Line): number => MONITOR_STATES.indexOf(state);

/**
 * The lines as they are listed: trouble first, then by name; in groups, each under its heading, by the heading's name, and
 * what has no tag last. A monitor with two tags stands under both.
 */
export function arranged(lines: readonly Line[], group: Grouping | undefined, headings: Headings): Item[] {
  const sorted = [...lines].sort((a, b) => rank(a) - rank(b) || a.monitor.name.localeCompare(b.monitor.name));
  if (group === undefined) return sorted.map((line) => itemOf(line));
  const groups = new Map<string, Line[]>();
  for (const line of sorted)
    for (const key of keysOf(line, group)) groups.set(key, [...(groups.get(key) ?? []), line]);
  const named = [...groups].map(([key, own]) => ({ key, own, name: nameOf(key, group, headings) }));
  named.sort((a, b) => Number(a.key === '') - Number(b.key === '') || a.name.localeCompare(b.name));
  return named.flatMap(({ key, own, name }) => [
    { kind: 'group', key: `group ${key}`, name, count: own.length, worst: own[0]?.state ?? 'passed' },
    ...own.map((line) => itemOf(line, key)),
  ]);
}

const itemOf = (line: Line, group = ''): Item => ({
  kind: 'monitor',
  key: `${group} ${line.monitor.id}`,
  line,
});

function keysOf({ monitor }: Line, group: Grouping): readonly string[] {
  if (group === 'project') return [monitor.project_id];
  if (group === 'type') return [monitor.type];
  return monitor.tags.length === 0 ? [''] : monitor.tags;
}

function nameOf(key: string, group: Grouping, headings: Headings): string {
  if (group === 'project') return headings.project(key);
  if (group === 'type') return headings.type(key);
  return key === '' ? headings.untagged : key;
}

/** Items of a block: about what a screen shows. */
const BLOCK = 50;

/** The ids of the monitors in each block of the list that reaches into [first, last], each with commas between. */
export function idsByBlock(
  items: readonly Item[],
  { first, last }: { first: number; last: number },
): string[] {
  const blocks: string[] = [];
  for (let at = Math.floor(first / BLOCK) * BLOCK; at <= last && at < items.length; at += BLOCK) {
    const ids = items
      .slice(at, at + BLOCK)
      .flatMap((item) => (item.kind === 'monitor' ? [item.line.monitor.id] : []));
    if (ids.length > 0) blocks.push([...new Set(ids)].join(','));
  }
  return blocks;
}
