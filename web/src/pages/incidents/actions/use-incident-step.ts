// What somebody does to an incident: one step at a time, shown at once where the outcome is certain.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import {
  discardIncident,
  holdIncident,
  listNotes,
  restoreIncident,
} from '#src/incidents/actions-contract.ts';
import {
  acknowledgeIncident,
  getIncident,
  type IncidentDetail,
  listIncidents,
  listIncidentTimeline,
  listMonitorIncidents,
  resolveIncident,
} from '#src/incidents/contract.ts';
import { call } from '#web/call.ts';
import { everyRead, queryClient, read } from '#web/read.ts';
import { sessionQuery } from '#web/session.ts';

export type Step =
  | { do: 'acknowledge'; group: boolean }
  | { do: 'resolve' }
  | { do: 'hold'; seconds: number }
  | { do: 'discard' | 'restore'; reason: string };

const AFFECTED = [listIncidents, listIncidentTimeline, listMonitorIncidents, listNotes];

type Params = { org_id: string; incident_id: string };

function send(params: Params, step: Step): Promise<IncidentDetail> {
  switch (step.do) {
    case 'acknowledge':
      return call(acknowledgeIncident, { params, ...(step.group && { query: { group: 'true' } }) });
    case 'resolve':
      return call(resolveIncident, { params });
    case 'hold':
      return call(holdIncident, { params, body: { seconds: step.seconds } });
    default: {
      const reason = step.reason.trim();
      const operation = step.do === 'discard' ? discardIncident : restoreIncident;
      return call(operation, { params, body: reason === '' ? {} : { reason } });
    }
  }
}

/** What the answer will look like: shown at once, taken back if the server refuses. */
function expected(incident: IncidentDetail, step: Step, email: string | null): IncidentDetail {
  const now = Math.floor(Date.now() / 1_000);
  if (step.do === 'acknowledge')
    return {
      ...incident,
      lifecycle_state: 'acknowledged',
      acknowledged_at_unix: now,
      acknowledged_by_email: email,
    };
  if (step.do === 'resolve')
    return { ...incident, status: 'closed', lifecycle_state: 'resolved', resolved_at_unix: now };
  return incident;
}

/** `run` throws the refusal; `running` names the step under way. A second press while one runs does nothing. */
export function useIncidentStep(orgId: string, incident: IncidentDetail) {
  const session = useQuery(sessionQuery);
  const [running, setRunning] = useState<Step['do'] | null>(null);
  const busy = useRef(false);
  const email = session.data?.user.email ?? null;

  const run = useCallback(
    async (step: Step): Promise<void> => {
      if (busy.current) return;
      busy.current = true;
      setRunning(step.do);
      const params = { org_id: orgId, incident_id: incident.id };
      const { queryKey } = read(getIncident, { params });
      try {
        await queryClient.cancelQueries({ queryKey });
        queryClient.setQueryData(queryKey, expected(incident, step, email));
        queryClient.setQueryData(queryKey, await send(params, step));
      } catch (refused) {
        queryClient.setQueryData(queryKey, incident);
        throw refused;
      } finally {
        busy.current = false;
        setRunning(null);
        for (const operation of AFFECTED)
          void queryClient.invalidateQueries({ queryKey: everyRead(operation) });
      }
    },
    [orgId, incident, email],
  );
  return { run, running };
}

export type IncidentSteps = ReturnType<typeof useIncidentStep>;
