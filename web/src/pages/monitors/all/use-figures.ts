import { useQueries } from '@tanstack/react-query';
import { useRef } from 'react';
import { listMonitorFigures, type MonitorFigures } from '#src/series/contract.ts';
import { call } from '#web/call.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { type Item, idsByBlock } from './search.ts';

type Figures = ReadonlyMap<string, MonitorFigures>;

/**
 * The figures of the monitors among the items from `first` to `last`, by id, as far as they are loaded. Fetches whole
 * blocks of the list, and nothing while it is scrolling.
 */
export function useFigures(
  items: readonly Item[],
  seen: { first: number; last: number },
  isScrolling: boolean,
): Figures {
  const orgId = useOrgId();
  const settled = useRef<readonly string[]>([]);
  if (!isScrolling) settled.current = idsByBlock(items, seen);
  return useQueries({
    queries: settled.current.map((ids) => ({
      queryKey: [listMonitorFigures.id, { org_id: orgId }, { monitor_ids: ids }],
      queryFn: () => call(listMonitorFigures, { params: { org_id: orgId }, query: { monitor_ids: ids } }),
      staleTime: 60_000,
      refetchInterval: 60_000,
    })),
    combine: byMonitor,
  });
}

const byMonitor = (answers: readonly { data?: MonitorFigures[] | undefined }[]): Figures =>
  new Map(answers.flatMap(({ data = [] }) => data.map((each) => [each.monitor_id, each] as const)));
