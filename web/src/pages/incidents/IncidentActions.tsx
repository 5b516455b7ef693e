import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconEye } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  acknowledgeIncident,
  getIncident,
  type IncidentDetail,
  listIncidents,
  listIncidentTimeline,
  listMonitorIncidents,
  resolveIncident,
} from '../../../../src/incidents/contract.ts';
import { call } from '../../call.ts';
import { everyRead, queryClient, read } from '../../read.ts';
import { sessionQuery } from '../../session.ts';
import { useRefusalSentence } from '../../ui/refusal-sentence.ts';

type Step = 'acknowledge' | 'resolve';

const AFFECTED = [listIncidents, listIncidentTimeline, listMonitorIncidents];

/** What the answer will look like: shown at once, taken back if the server refuses. */
function expected(incident: IncidentDetail, step: Step, email: string | null): IncidentDetail {
  const now = Math.floor(Date.now() / 1_000);
  return step === 'acknowledge'
    ? {
        ...incident,
        lifecycle_state: 'acknowledged',
        acknowledged_at_unix: now,
        acknowledged_by_email: email,
      }
    : { ...incident, status: 'closed', lifecycle_state: 'resolved', resolved_at_unix: now };
}

/** Acknowledge and resolve. */
export function IncidentActions({ orgId, incident }: { orgId: string; incident: IncidentDetail }) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const session = useQuery(sessionQuery);
  const params = { org_id: orgId, incident_id: incident.id };
  const { queryKey } = read(getIncident, { params });

  const step = useMutation({
    mutationFn: (which: Step) =>
      call(which === 'acknowledge' ? acknowledgeIncident : resolveIncident, { params }),
    onMutate: async (which) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, expected(incident, which, session.data?.user.email ?? null));
      return incident;
    },
    onError: (error, _which, before) => {
      if (before !== undefined) queryClient.setQueryData(queryKey, before);
      notifications.show({ color: 'red', message: sentence(error) });
    },
    onSuccess: (saved) => queryClient.setQueryData(queryKey, saved),
    onSettled: () =>
      Promise.all(
        AFFECTED.map((operation) => queryClient.invalidateQueries({ queryKey: everyRead(operation) })),
      ),
  });

  if (incident.status !== 'open') return null;
  return (
    <>
      {incident.acknowledged_at_unix === null ? (
        <Button
          leftSection={<IconEye size={17} />}
          disabled={step.isPending}
          onClick={() => step.mutate('acknowledge')}
        >
          {t('incidents.acknowledge')}
        </Button>
      ) : null}
      <Button
        variant="default"
        leftSection={<IconCheck size={17} />}
        disabled={step.isPending}
        onClick={() => step.mutate('resolve')}
      >
        {t('incidents.resolve')}
      </Button>
    </>
  );
}
