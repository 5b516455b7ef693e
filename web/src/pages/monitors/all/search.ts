// The filters and the grouping of the list of all monitors, kept in the URL so that the list can be shared. Pure.
import { MONITOR_STATES, MONITOR_TYPES, type MonitorState, type MonitorType } from '#src/domain/names.ts';
import type { ListedMonitor } from '#src/monitors/all/contract.ts';
import { VIEW_GROUPS, VIEW_SORTS } from '#src/monitors/views/contract.ts';
import { hasWords } from '../has-words.ts';

export const GROUPINGS = VIEW_GROUPS;
export type Grouping = (typeof GROUPINGS)[number];
export type Sort = (typeof VIEW_SORTS)[number];

export type AllSearch = {
  text?: string;
  state?: MonitorState;
  project?: string;
  type?: MonitorType;
  tag?: string;
  group?: Grouping;
  /** Absent: failing monitors first. */
  sort?: Sort;
};

const word = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** Parses the URL parameters; drops invalid ones. */
export function readAllSearch(search: Record<string, unknown>): AllSearch {
  const read: AllSearch = {
    text: word(search.text),
    state: MONITOR_STATES.find((each) => each === search.state),
    project: word(search.project),
    type: MONITOR_TYPES.find((each) => each === search.type),
    tag: word(search.tag),
    group: GROUPINGS.find((each) => each === search.group),
    sort: VIEW_SORTS.find((each) => each === search.sort),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** The parameters of one project's list. */
export type ListSearch = Pick<AllSearch, 'project' | 'text' | 'state'>;

export function readListSearch(search: Record<string, unknown>): ListSearch {
  const { project, text, state } = readAllSearch(search);
  return {
    ...(project === undefined ? {} : { project }),
    ...(text === undefined ? {} : { text }),
    ...(state === undefined ? {} : { state }),
  };
}

/** Whether any filter is set. */
export const isNarrowed = ({ text, state, project, type, tag }: AllSearch): boolean =>
  [text, state, project, type, tag].some((each) => each !== undefined);

/** The project of the address, if the organization has none with this id; `projects` is empty until they are loaded. */
export const unknownProject = (
  { project }: Pick<AllSearch, 'project'>,
  projects: readonly { id: string }[],
): string | undefined =>
  projects.length === 0 || projects.some(({ id }) => id === project) ? undefined : project;

/** The layout of the list, without its filters. */
export const layoutOf = ({ group, sort }: AllSearch): AllSearch => ({
  ...(group === undefined ? {} : { group }),
  ...(sort === undefined ? {} : { sort }),
});

/** Whether two addresses show the same list. */
export const isSameSearch = (a: AllSearch, b: AllSearch): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

/** A monitor of the list with the data of its row. */
export type Line = { monitor: ListedMonitor; state: MonitorState };

/** Whether a row passes the filters except the status, whose counts cover what the others leave. */
export function matchesFilters({ monitor }: Line, { text = '', project, type, tag }: AllSearch): boolean {
  if (project !== undefined && monitor.project_id !== project) return false;
  if (type !== undefined && monitor.type !== type) return false;
  if (tag !== undefined && !monitor.tags.includes(tag)) return false;
  const words = [monitor.name, monitor.target, monitor.type, ...monitor.tags, ...monitor.regions];
  return text === '' || hasWords(words.join(' '), text);
}

export type Item =
  | { kind: 'group'; key: string; name: string; count: number; worst: MonitorState }
  | { kind: 'monitor'; key: string; line: Line };

/** The headings of groups. */
export type Headings = { project: (id: string) => string; type: (type: string) => string; untagged: string };

const rank = ({ state }: Line): number => MONITOR_STATES.indexOf(state);

/**
 * The rows in order: failing monitors first, then by name, or by name alone. Groups are in order of their headings;
 * monitors without a tag come last. A monitor with two tags appears under both.
 */
export function arranged(
  lines: readonly Line[],
  { group, sort }: { group?: Grouping | undefined; sort?: Sort | undefined },
  headings: Headings,
): Item[] {
  const collator = new Intl.Collator();
  const sorted = [...lines].sort(
    (a, b) => (sort === 'name' ? 0 : rank(a) - rank(b)) || collator.compare(a.monitor.name, b.monitor.name),
  );
  if (group === undefined) return sorted.map((line) => itemOf(line));
  const groups = new Map<string, Line[]>();
  for (const line of sorted)
    for (const key of keysOf(line, group)) {
      const own = groups.get(key);
      if (own === undefined) groups.set(key, [line]);
      else own.push(line);
    }
  const named = [...groups].map(([key, own]) => ({ key, own, name: nameOf(key, group, headings) }));
  named.sort((a, b) => Number(a.key === '') - Number(b.key === '') || a.name.localeCompare(b.name));
  return named.flatMap(({ key, own, name }) => [
    { kind: 'group', key: `group ${key}`, name, count: own.length, worst: worstOf(own) },
    ...own.map((line) => itemOf(line, key)),
  ]);
}

const worstOf = (lines: readonly Line[]): MonitorState =>
  MONITOR_STATES.find((state) => lines.some((line) => line.state === state)) ?? 'passed';

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

/** Items per block: about a screenful. */
const BLOCK = 50;

/** The ids of the monitors in each block that overlaps [first, last], joined with commas. */
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
