// Actions on an incident, one at a time, shown optimistically if the outcome is certain.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { discardIncident, holdIncident, restoreIncident } from '#src/incidents/actions-contract.ts';
import { getIncident, type IncidentDetail, resolveIncident } from '#src/incidents/contract.ts';
import { queryClient, read } from '#web/read.ts';
import { sessionQuery } from '#web/session.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { useCommandRefusal } from '../use-command-refusal.ts';
import { acknowledge, cacheIncident, type IncidentPath } from './acknowledge.ts';

export type Step =
  | { do: 'acknowledge'; group: boolean }
  | { do: 'resolve' }
  | { do: 'hold'; seconds: number }
  | { do: 'discard' | 'restore'; reason: string };

function sendStep(
  params: IncidentPath,
  step: Step,
  keep: (incident: IncidentDetail) => void,
): Promise<unknown> {
  switch (step.do) {
    case 'acknowledge':
      return acknowledge(params, step.group);
    case 'resolve':
      return send(resolveIncident, { params }, keep);
    case 'hold':
      return send(holdIncident, { params, body: { seconds: step.seconds } }, keep);
    case 'discard':
      return send(discardIncident, { params, body: reasonOf(step) }, keep);
    case 'restore':
      return send(restoreIncident, { params, body: reasonOf(step) }, keep);
  }
}

const reasonOf = ({ reason }: { reason: string }) => (reason.trim() === '' ? {} : { reason: reason.trim() });

type Taker = { email: string | null; name: string | null };

/** The expected reply: shown at once, and rolled back if the server refuses. */
function expected(incident: IncidentDetail, step: Step, by: Taker): IncidentDetail {
  const now = Math.floor(Date.now() / 1_000);
  if (step.do === 'acknowledge')
    return {
      ...incident,
      lifecycle_state: 'acknowledged',
      acknowledged_at_unix: now,
      acknowledged_by_email: by.email,
      acknowledged_by_name: by.name,
    };
  if (step.do === 'resolve')
    return { ...incident, status: 'closed', lifecycle_state: 'resolved', resolved_at_unix: now };
  return incident;
}

/**
 * `run` performs an action and shows a refusal as a notification; `running` is the one in progress. `take` throws instead,
 * for dialogs that show the refusal themselves.
 */
export function useIncidentStep(orgId: string, incident: IncidentDetail) {
  const session = useQuery(sessionQuery);
  const write = useWrite({ show: inNote, words: useCommandRefusal() });
  const [running, setRunning] = useState<Step['do'] | null>(null);
  const { email = null, name = null } = session.data?.user ?? {};

  async function take(step: Step): Promise<void> {
    const params = { org_id: orgId, incident_id: incident.id };
    const { queryKey } = read(getIncident, { params });
    const keep = (shown: IncidentDetail) => cacheIncident(params, shown);
    await queryClient.cancelQueries({ queryKey });
    keep(expected(incident, step, { email, name }));
    try {
      await sendStep(params, step, keep);
    } catch (refused) {
      keep(incident);
      throw refused;
    }
  }

  function run(step: Step): void {
    setRunning(step.do);
    void write.run(() => take(step));
  }

  return { run, take, running: write.busy ? running : null };
}

export type IncidentSteps = ReturnType<typeof useIncidentStep>;
