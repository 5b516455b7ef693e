// Replays the settings on screen after a pause in typing; cancels the request when they change again.
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refuseEffectivePolicy, refusePolicyValues } from '#src/domain/policy-validation.ts';
import type { Monitor, PolicyWrite } from '#src/monitors/contract.ts';
import { replayPolicy } from '#src/policy-replay/contract.ts';
import { call } from '#web/call.ts';
import { queryClient } from '#web/read.ts';
import { type InheritedPolicy, monitorLevel } from '../form/policy-levels.ts';
import { type PolicyValues, policyOf, policyValuesOf } from '../form/policy-values.ts';

const PAUSE_MS = 500;
const KEPT_MS = 60_000;

/** `isShown`: the panel is on screen. Invalid settings are not replayed. */
export function usePolicyReplay(
  monitor: Monitor,
  policy: PolicyValues,
  inherited: InheritedPolicy,
  isShown: boolean,
) {
  const wanted = JSON.stringify(policyOf(policy));
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const own = monitorLevel(policy);
  const isValid =
    refusePolicyValues(own) === null &&
    refuseEffectivePolicy({ ...inherited, monitor: own }, monitor.regions.length) === null;
  const isSettled = wanted === asked;
  useEffect(() => {
    if (!isSettled) void queryClient.cancelQueries({ queryKey: [replayPolicy.id, monitor.id] });
  }, [isSettled, monitor.id]);
  const query = useQuery({
    queryKey: [replayPolicy.id, monitor.id, asked],
    queryFn: ({ signal }) =>
      call(
        replayPolicy,
        { params: { monitor_id: monitor.id }, body: { policy: JSON.parse(asked) as PolicyWrite } },
        signal,
      ),
    enabled: isShown && isValid && isSettled,
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
    staleTime: KEPT_MS,
    refetchOnWindowFocus: false,
  });
  return {
    replay: query.data,
    error: query.error,
    /** The result on screen belongs to earlier settings. */
    isOutdated: !isSettled || query.isPlaceholderData || query.isFetching,
    isChanged: asked !== JSON.stringify(policyOf(policyValuesOf(monitor.policy))),
    isValid,
  };
}
