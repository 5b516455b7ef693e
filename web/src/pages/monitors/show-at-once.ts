// What is done to monitors, shown wherever they are on screen before the server has said anything.
import { listAllMonitors } from '#src/monitors/all/contract.ts';
import { getMonitor, listMonitors, type Monitor } from '#src/monitors/contract.ts';
import { patch } from '#web/cached.ts';
import { everyRead, queryClient } from '#web/read.ts';

/** What of a monitor can be shown at once. */
export type Shown = Pick<Monitor, 'id' | 'enabled' | 'tags'>;
type Change = Partial<Omit<Shown, 'id'>>;

const LISTS = [listMonitors, listAllMonitors];
const READS: unknown[] = [getMonitor, ...LISTS].map(({ id }) => id);

/** Shows each of these as `changed` says, until it is read again. Returns what shows them as they were. */
export async function showAtOnce(
  ids: readonly string[],
  changed: (monitor: Shown) => Change,
): Promise<() => void> {
  // An answer that is under way knows nothing of it; a first one is waited for, as nothing else is on screen.
  await queryClient.cancelQueries({
    predicate: ({ queryKey: [first], state }) => READS.includes(first) && state.data !== undefined,
  });
  const wanted = new Set(ids);
  const before = new Map<string, Change>();
  const apply = (change: (monitor: Shown) => Change | undefined) => {
    const applied = <Row extends Shown>(row: Row): Row =>
      wanted.has(row.id) ? { ...row, ...change(row) } : row;
    patch<Monitor>(everyRead(getMonitor), (monitor) => applied(monitor));
    for (const list of LISTS)
      patch<Shown[]>(everyRead(list), (rows) =>
        rows.some(({ id }) => wanted.has(id)) ? rows.map(applied) : rows,
      );
  };
  apply((monitor) => {
    if (!before.has(monitor.id)) before.set(monitor.id, { enabled: monitor.enabled, tags: monitor.tags });
    return changed(monitor);
  });
  return () => apply(({ id }) => before.get(id));
}
