import { useQuery } from '@tanstack/react-query';
import { getInstallation } from '#src/accounts/contract.ts';
import { getAlarmPlan } from '#src/on-call/alarm-plan-contract.ts';
import { getDuty, listShifts, previewChain } from '#src/on-call/contract.ts';
import { listDrills } from '#src/on-call/drills/contract.ts';
import { listOverrides } from '#src/on-call/overrides-contract.ts';
import { isFirstRead } from '#web/first-read.ts';
import { read } from '#web/read.ts';
import { WEEKS } from './SchedulePanel.tsx';

/** Whether the panels of the on-call page that stand above others have been read, so that none of them grows later. */
export function usePanelsRead(orgId: string): boolean {
  const params = { org_id: orgId };
  const duty = useQuery(read(getDuty, { params }));
  const shifts = useQuery(read(listShifts, { params, query: { weeks: WEEKS } }));
  const overrides = useQuery(read(listOverrides, { params }));
  const chain = useQuery(read(previewChain, { params }));
  const plan = useQuery(read(getAlarmPlan, { params }));
  const installation = useQuery(read(getInstallation, {}));
  const drills = useQuery(read(listDrills, { params }));
  return !isFirstRead(duty, shifts, overrides, chain, plan, installation, drills);
}
