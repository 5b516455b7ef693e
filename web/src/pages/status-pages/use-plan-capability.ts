import { useQuery } from '@tanstack/react-query';
import { getOrganizationPlan, type Plan } from '#src/plans/contract.ts';
import { read } from '#web/read.ts';

/** Whether the plan has a capability; until it is known, or cannot be read, nothing is withheld: the server decides anyway. */
export function usePlanCapability(orgId: string, capability: keyof Plan['capabilities']): boolean {
  const plan = useQuery(read(getOrganizationPlan, { params: { org_id: orgId } }));
  return plan.data?.capabilities[capability] ?? true;
}
