// Keeps the overview current. Monitor events patch the tiles, incident events refetch the small part of the overview, and
// only other events refetch all of it.
import type { MonitorEvent } from '#src/events/contract.ts';
import { getOverview, type Overview } from '#src/overview/contract.ts';
import { isBeingRead, patch, readAgain } from '../cached.ts';
import { call } from '../call.ts';
import { queryClient } from '../read.ts';
import { withMonitorEvents } from './tile-news.ts';

/** Batches a thousand events a second into two updates of the tiles. */
const GATHER_MS = 500;

export type FollowedOverview = {
  monitor: (event: MonitorEvent) => void;
  /** An event beside the monitors: incidents, holds, acknowledgements. */
  news: () => void;
  /** An event that does not carry everything that changed. */
  again: () => void;
  stop: () => void;
};

export function followOverview(orgId: string): FollowedOverview {
  const params = { org_id: orgId };
  const queryKey = [getOverview.id, params, {}];
  let events: MonitorEvent[] = [];
  let needs: 'nothing' | 'news' | 'all' = 'nothing';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const soon = () => {
    timer ??= setTimeout(flush, GATHER_MS);
  };

  function flush(): void {
    timer = undefined;
    const [received, needed] = [events, needs];
    events = [];
    needs = 'nothing';
    const overview = queryClient.getQueryData<Overview>(queryKey);
    const isShown = queryClient.getQueryCache().find({ queryKey })?.isActive() ?? false;
    const tiles = overview && withMonitorEvents(overview, received);
    // A request in flight may predate the event.
    if (!isShown || tiles === null || needed === 'all' || isBeingRead(queryKey)) {
      void readAgain({ queryKey });
      return;
    }
    if (received.length > 0) patch<Overview>(queryKey, (old) => withMonitorEvents(old, received) ?? old);
    if (needed === 'news') void readNews();
  }

  async function readNews(): Promise<void> {
    const news = await call(getOverview, { params, query: { monitors: 'false' } }).catch(() => null);
    // Failed reads are refetched with the rest when the server is back.
    if (news !== null) patch<Overview>(queryKey, ({ monitors, counts }) => ({ ...news, monitors, counts }));
  }

  return {
    monitor(event) {
      events.push(event);
      soon();
    },
    news() {
      if (needs === 'nothing') needs = 'news';
      soon();
    },
    again() {
      needs = 'all';
      soon();
    },
    stop: () => clearTimeout(timer),
  };
}
