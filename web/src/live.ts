// The live stream of an organization: patches the cache, refetches what it cannot patch, and reports the connection's
// state.
import { useEffect, useRef, useState } from 'react';
import { getAnnotations, getHoursOfWeek } from '#src/charts/contract.ts';
import { listChecks, listRecentChecks, listRegionStatuses } from '#src/checks/contract.ts';
import {
  type AlarmEvent,
  type IncidentEvent,
  type MonitorEvent,
  streamEvents,
} from '#src/events/contract.ts';
import { getExample } from '#src/examples/contract.ts';
import { getHeartbeat } from '#src/heartbeats/contract.ts';
import { getPostmortem, listNotes, listPageLinks } from '#src/incidents/actions-contract.ts';
import {
  getIncident,
  type IncidentWithCapsule,
  listIncidents,
  listIncidentTimeline,
  listMonitorIncidents,
} from '#src/incidents/contract.ts';
import { listMaintenance } from '#src/maintenance/contract.ts';
import { type ListedMonitor, listAllMonitors } from '#src/monitors/all/contract.ts';
import { getMonitor, listMonitors, type Monitor } from '#src/monitors/contract.ts';
import { getMonitorAlarmPlan } from '#src/on-call/alarm-plan-contract.ts';
import { listRinging } from '#src/on-call/contract.ts';
import { getDrill, listDrills } from '#src/on-call/drills/contract.ts';
import { getOverview } from '#src/overview/contract.ts';
import type { Operation } from '#src/platform/contract.ts';
import { getBlindSpots } from '#src/self-monitoring/contract.ts';
import { getSeries } from '#src/series/contract.ts';
import { getStatusPage } from '#src/status-pages/contract.ts';
import { patchAlarm, patchRingingIncident } from './alarm/ringing.ts';
import { isBeingRead, markMissing, patch, readAgain } from './cached.ts';
import { checkConnection } from './connection.ts';
import { listen } from './live/listen.ts';
import { followOverview } from './live/overview.ts';
import type { StreamMessage } from './live/stream.ts';
import { queryClient, readKeyOf } from './read.ts';
import { sessionQuery } from './session.ts';

export type LiveState = 'connecting' | 'live' | 'reconnecting';

const GATHER_MS = 200;

const LISTS = [listIncidents, listMonitorIncidents, getAnnotations];

/** The reads that a change of an incident makes stale, beside the incident itself and its timeline. */
const STALE_BY_CHANGE: Partial<Record<IncidentEvent['change'], readonly Operation[]>> = {
  // With it others may become a storm, whose name is in each of them.
  opened: [...LISTS, getIncident],
  acknowledged: LISTS,
  resolved: LISTS,
  held: LISTS,
  hold_ended: LISTS,
  discarded: [...LISTS, getSeries, getHoursOfWeek],
  restored: [...LISTS, getSeries, getHoursOfWeek],
  noted: [listNotes],
  postmortem: [getPostmortem],
  linked: [listPageLinks],
};

/** The two lists of monitors: in full per project, and in brief over all projects. Each event updates both. */
const LISTS_OF_MONITORS = [listMonitors, listAllMonitors];

/** Reads with the names of monitors, or of their projects. */
const NAMING_MONITORS = [getIncident, listIncidents, listMaintenance, getStatusPage];

/** The reads that the stream keeps current. */
const FOLLOWED = [
  listMonitors,
  listAllMonitors,
  getMonitor,
  listRecentChecks,
  listChecks,
  listRegionStatuses,
  getHeartbeat,
  ...LISTS,
  getIncident,
  listIncidentTimeline,
  listNotes,
  listMaintenance,
  listRinging,
  listDrills,
  getDrill,
  getBlindSpots,
  getOverview,
];

/** Batches invalidations, so that a burst of events causes one request and not one per event. */
function gatherer() {
  const waiting = new Map<string, readonly [Operation, string | null]>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (operation: Operation, incidentId: string | null): void => {
    waiting.set(`${operation.id} ${incidentId}`, [operation, incidentId]);
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const [each, of] of waiting.values())
        void readAgain({
          queryKey: readKeyOf(each),
          predicate: ({ queryKey }) =>
            of === null || (queryKey[1] as { incident_id?: string } | undefined)?.incident_id === of,
        });
      waiting.clear();
    }, GATHER_MS);
  };
  return {
    /** Every cached answer of these operations. */
    stale(...operations: readonly Operation[]): void {
      for (const operation of operations) wait(operation, null);
    },
    /**
     * Everything these operations have cached about one incident: in a storm the other incidents on screen are not
     * refetched.
     */
    staleOf(incidentId: string, ...operations: readonly Operation[]): void {
      for (const operation of operations) wait(operation, incidentId);
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}

/** A status event does not say since when: that is unknown until the monitor is read again. */
function withNews<M extends Monitor | ListedMonitor>(
  monitor: M,
  { change, last_status, confirming = null, ...event }: MonitorEvent,
): M {
  const { no_data_since_unix = null, cannot_check = null } = event;
  if (change === 'data') return { ...monitor, no_data_since_unix, cannot_check };
  const isSame = monitor.last_status === last_status;
  if (isSame && monitor.confirming?.failures === confirming?.failures) return monitor;
  const last_status_since_unix = isSame ? monitor.last_status_since_unix : null;
  return { ...monitor, last_status, last_status_since_unix, confirming };
}

/** Whether a list shows this monitor without data: a status comes from results, so the monitor may have data now. */
function isShownWithoutData(monitorId: string): boolean {
  return LISTS_OF_MONITORS.flatMap((operation) =>
    queryClient.getQueriesData<ListedMonitor[]>({ queryKey: readKeyOf(operation) }),
  ).some(([, list]) => list?.some(({ id, no_data_since_unix: since }) => id === monitorId && since !== null));
}

function patchMonitor(event: MonitorEvent): void {
  const { monitor_id } = event;
  for (const operation of LISTS_OF_MONITORS)
    patch<ListedMonitor[]>(readKeyOf(operation), (list) => {
      if (!list.some((monitor) => monitor.id === monitor_id)) return list;
      if (event.change === 'deleted') return list.filter((monitor) => monitor.id !== monitor_id);
      return list.map((monitor) => (monitor.id === monitor_id ? withNews(monitor, event) : monitor));
    });
  const ofMonitor = [getMonitor.id, { monitor_id }, {}];
  if (event.change === 'deleted') {
    void markMissing(ofMonitor);
    markIncidentsMissing(monitor_id);
  } else patch<Monitor>(ofMonitor, (monitor) => withNews(monitor, event));
}

/** The incidents of a monitor are deleted with it. */
function markIncidentsMissing(monitorId: string): void {
  const queryKey = readKeyOf(getIncident);
  for (const [key, incident] of queryClient.getQueriesData<IncidentWithCapsule>({ queryKey }))
    if (incident?.monitor_id === monitorId) void markMissing(key);
}

/** Incident events that everybody should notice; the others only refresh the screen. */
export type IncidentNews = IncidentEvent & { change: 'opened' | 'acknowledged' | 'resolved' };

function isNews(event: IncidentEvent): event is IncidentNews {
  return ['opened', 'acknowledged', 'resolved'].includes(event.change);
}

/** Listens while `orgId` is on screen; calls `onIncident` for incident events worth a notification. */
export function useLive(orgId: string, onIncident: (event: IncidentNews) => void): LiveState {
  const [state, setState] = useState<LiveState>('connecting');
  const latest = useRef(onIncident);
  latest.current = onIncident;

  useEffect(() => {
    const gathered = gatherer();
    const overview = followOverview(orgId);
    let wasLive = false;
    const on: Record<string, (data: string) => void> = {
      monitor(data) {
        const event = JSON.parse(data) as MonitorEvent;
        patchMonitor(event);
        overview.monitor(event);
        gathered.stale(listRecentChecks, listChecks, listRegionStatuses, getHeartbeat);
        if (event.change === 'data' || event.change === 'deleted') gathered.stale(getBlindSpots);
        // Its incidents go with it, and it leaves its windows.
        if (event.change === 'deleted') {
          overview.news();
          gathered.stale(listIncidents, listMaintenance);
        }
        const isPatched =
          event.change === 'data' || (event.change === 'status' && !isShownWithoutData(event.monitor_id));
        for (const list of LISTS_OF_MONITORS)
          if (!isPatched || isBeingRead(readKeyOf(list))) gathered.stale(list);
        // Also when another was deleted: groups and dependants named it.
        gathered.stale(getMonitor);
        // Incidents name their monitor and its project, and so do windows, and what the public sees.
        if (event.change === 'updated') gathered.stale(getMonitorAlarmPlan, ...NAMING_MONITORS);
        gathered.stale(getExample);
      },
      incident(data) {
        const event = JSON.parse(data) as IncidentEvent;
        patchRingingIncident(orgId, event);
        overview.news();
        gathered.stale(...(STALE_BY_CHANGE[event.change] ?? []));
        gathered.staleOf(event.incident_id, getIncident, listIncidentTimeline);
        if (isNews(event) && !event.example) latest.current(event);
        if (event.example) gathered.stale(getExample);
      },
      maintenance() {
        overview.again();
        gathered.stale(listMaintenance, ...LISTS_OF_MONITORS, getMonitor, getSeries, listChecks);
        gathered.stale(getAnnotations, getHoursOfWeek, getMonitorAlarmPlan);
      },
      drill() {
        gathered.stale(listDrills, getDrill);
      },
      alarm(data) {
        patchAlarm(orgId, JSON.parse(data) as AlarmEvent);
        gathered.stale(listRinging);
      },
    };

    function onMessage(message: StreamMessage): void {
      switch (message.is) {
        case 'open':
          // Events are lost while the stream is down, and between the first reads and its opening.
          if (wasLive) void readAgain({});
          else for (const operation of FOLLOWED) void readAgain({ queryKey: readKeyOf(operation) });
          wasLive = true;
          setState('live');
          return;
        case 'away':
          setState('reconnecting');
          void checkConnection();
          if (message.refused) void readAgain({ queryKey: sessionQuery.queryKey });
          return;
        case 'event':
          on[message.kind]?.(message.data);
      }
    }

    setState('connecting');
    const path = `${streamEvents.path.replace('{org_id}', encodeURIComponent(orgId))}?heartbeats=true`;
    const session = queryClient.getQueryData(sessionQuery.queryKey)?.session.id ?? '';
    const leave = listen(path, session, onMessage);
    return () => {
      leave();
      gathered.stop();
      overview.stop();
    };
  }, [orgId]);

  return state;
}
