// Refusals of incident command: names the missing feature of the plan; everything else as everywhere.
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { getOrganizationPlan } from '#src/plans/contract.ts';
import { ApiError } from '#web/call.ts';
import { read } from '#web/read.ts';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';

/** Returns a function that describes an error. */
export function useCommandRefusal(): (error: unknown) => string {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  return useCallback(
    (error: unknown) =>
      error instanceof ApiError && error.code === 'plan_capability' ? t('command.plan') : sentence(error),
    [t, sentence],
  );
}

/** Whether the plan has incident command; undefined while loading. If the plan cannot be read, nothing is withheld. */
export function useHasIncidentCommand(orgId: string): boolean | undefined {
  const plan = useQuery(read(getOrganizationPlan, { params: { org_id: orgId } }));
  return plan.isPending ? undefined : (plan.data?.capabilities.incident_command ?? true);
}
