import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getExample } from '#src/examples/contract.ts';
import { getFirstSteps } from '#src/first-steps/contract.ts';
import { isFirstRead } from '#web/first-read.ts';
import { read } from '#web/read.ts';
import { useMayAct, useMayManage } from '#web/shell/my-role.ts';

/**
 * What is still missing before an alarm reaches somebody (`steps`; null when all is done or dismissed, and for viewers, who can do
 * none of it) and the example outage that people who manage can start. `isPending`: the page below waits, or it would be pushed down.
 */
export function useFirstSteps(orgId: string) {
  const params = { org_id: orgId };
  const mayAct = useMayAct();
  const mayManage = useMayManage();
  const request = read(getFirstSteps, { params });
  const steps = useQuery({ ...request, enabled: mayAct });
  const client = useQueryClient();
  // A write on another page may have made a step necessary, or done: what is cached would be replaced a moment later.
  const [wasInvalid] = useState(() => client.getQueryState(request.queryKey)?.isInvalidated === true);
  const isRenewed = wasInvalid && mayAct && !steps.isFetchedAfterMount && steps.failureCount === 0;
  const shown =
    !mayAct || steps.data === undefined || steps.data.done || steps.data.hidden ? null : steps.data;
  const example = useQuery({
    ...read(getExample, { params }),
    enabled: shown !== null && mayManage,
  });
  return {
    steps: shown?.steps ?? null,
    example: mayManage ? example.data : undefined,
    isPending: isRenewed || isFirstRead(steps, example),
  };
}
