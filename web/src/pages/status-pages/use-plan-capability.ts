import { useQuery } from '@tanstack/react-query';
import { getOrganizationPlan, type Plan } from '#src/plans/contract.ts';
import { read } from '#web/read.ts';

/** Whether the plan has a capability; true while unknown or unreadable, since the server decides anyway. */
export function usePlanCapability(orgId: string, capability: keyof Plan['capabilities']): boolean {
  const plan = useQuery(read(getOrganizationPlan, { params: { org_id: orgId } }));
  return plan.data?.capabilities[capability] ?? true;
}
