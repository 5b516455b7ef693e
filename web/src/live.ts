// The live stream of an organization: patches what is cached, asks again for what it cannot patch, and says how it stands.
import { useEffect, useRef, useState } from 'react';
import { listChecks, listRecentChecks, listRegionStatuses } from '../../src/checks/contract.ts';
import { getHeartbeat } from '../../src/checks/heartbeats/contract.ts';
import { type IncidentEvent, type MonitorEvent, streamEvents } from '../../src/events/contract.ts';
import {
  getIncident,
  listIncidents,
  listIncidentTimeline,
  listMonitorIncidents,
} from '../../src/incidents/contract.ts';
import { getMonitor, listMonitors, type Monitor } from '../../src/monitors/contract.ts';
import type { Operation } from '../../src/platform/contract.ts';
import { everyRead, queryClient } from './read.ts';
import { sessionQuery } from './session.ts';

export type LiveState = 'connecting' | 'live' | 'reconnecting';

const GATHER_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

/** Gathers invalidations, so that a burst of events asks the server once and not once per event. */
function gatherer() {
  const waiting = new Set<Operation>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    stale(...operations: Operation[]): void {
      for (const operation of operations) waiting.add(operation);
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const operation of waiting)
          void queryClient.invalidateQueries({ queryKey: everyRead(operation) });
        waiting.clear();
      }, GATHER_MS);
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}

/** The event does not say since when: that is unknown until the monitor is read again. */
function withStatus(monitor: Monitor, last_status: Monitor['last_status']): Monitor {
  return monitor.last_status === last_status
    ? monitor
    : { ...monitor, last_status, last_status_since_unix: null };
}

function patchMonitor(event: MonitorEvent): void {
  const { monitor_id, last_status } = event;
  queryClient.setQueriesData<Monitor[]>({ queryKey: everyRead(listMonitors) }, (list) => {
    if (list === undefined || !list.some((monitor) => monitor.id === monitor_id)) return list;
    if (event.change === 'deleted') return list.filter((monitor) => monitor.id !== monitor_id);
    return list.map((monitor) => (monitor.id === monitor_id ? withStatus(monitor, last_status) : monitor));
  });
  queryClient.setQueryData<Monitor>([getMonitor.id, { monitor_id }, {}], (monitor) =>
    monitor === undefined ? undefined : withStatus(monitor, last_status),
  );
}

/** Listens while `orgId` is on screen; `onIncident` is told of every incident event. */
export function useLive(orgId: string, onIncident: (event: IncidentEvent) => void): LiveState {
  const [state, setState] = useState<LiveState>('connecting');
  const told = useRef(onIncident);
  told.current = onIncident;

  useEffect(() => {
    const gathered = gatherer();
    let source: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let pauseMs = 1_000;
    let wasLive = false;

    function open(): void {
      source = new EventSource(streamEvents.path.replace('{org_id}', encodeURIComponent(orgId)));
      source.onopen = () => {
        pauseMs = 1_000;
        // Events may have been missed while the stream was away, and the server may have changed meanwhile.
        if (wasLive) void queryClient.invalidateQueries();
        wasLive = true;
        setState('live');
      };
      source.onerror = () => {
        setState('reconnecting');
        // The browser tries again by itself, except after an HTTP refusal: then we do, after looking at the session.
        if (source?.readyState !== EventSource.CLOSED) return;
        void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
        again = setTimeout(open, pauseMs);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      };
      source.addEventListener('monitor', (message) => {
        const event = JSON.parse(message.data) as MonitorEvent;
        patchMonitor(event);
        gathered.stale(listRecentChecks, listChecks, listRegionStatuses, getHeartbeat);
        if (event.change !== 'status') gathered.stale(listMonitors);
        if (event.change === 'updated' || event.change === 'status') gathered.stale(getMonitor);
      });
      source.addEventListener('incident', (message) => {
        const event = JSON.parse(message.data) as IncidentEvent;
        gathered.stale(listIncidents, getIncident, listIncidentTimeline, listMonitorIncidents);
        told.current(event);
      });
    }

    setState('connecting');
    open();
    return () => {
      source?.close();
      clearTimeout(again);
      gathered.stop();
    };
  }, [orgId]);

  return state;
}
