// Shows changes of monitors everywhere on screen before the server has answered.
import { listAllMonitors } from '#src/monitors/all/contract.ts';
import { getMonitor, listMonitors, type Monitor } from '#src/monitors/contract.ts';
import { patch } from '#web/cached.ts';
import { queryClient, readKeyOf } from '#web/read.ts';

/** The fields of a monitor that can be shown optimistically. */
export type Shown = Pick<Monitor, 'id' | 'enabled' | 'tags'>;
type Change = Partial<Omit<Shown, 'id'>>;

const LISTS = [listMonitors, listAllMonitors];
const READS: unknown[] = [getMonitor, ...LISTS].map(({ id }) => id);

/** Shows each of these as changed by `changed`, until it is read again. Returns a function that rolls this back. */
export async function showOptimistically(
  ids: readonly string[],
  changed: (monitor: Shown) => Change,
): Promise<() => void> {
  // Cancels reads in flight, which predate the change; a first read is awaited, since the screen has nothing else.
  await queryClient.cancelQueries({
    predicate: ({ queryKey: [first], state }) => READS.includes(first) && state.data !== undefined,
  });
  const wanted = new Set(ids);
  const before = new Map<string, Change>();
  const apply = (change: (monitor: Shown) => Change | undefined) => {
    const applied = <Row extends Shown>(row: Row): Row =>
      wanted.has(row.id) ? { ...row, ...change(row) } : row;
    patch<Monitor>(readKeyOf(getMonitor), (monitor) => applied(monitor));
    for (const list of LISTS)
      patch<Shown[]>(readKeyOf(list), (rows) =>
        rows.some(({ id }) => wanted.has(id)) ? rows.map(applied) : rows,
      );
  };
  apply((monitor) => {
    if (!before.has(monitor.id)) before.set(monitor.id, { enabled: monitor.enabled, tags: monitor.tags });
    return changed(monitor);
  });
  return () => apply(({ id }) => before.get(id));
}
