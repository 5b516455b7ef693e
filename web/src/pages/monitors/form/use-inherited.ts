import { useQuery } from '@tanstack/react-query';
import { type AlertProfile, getAlarmStandard, listAlertProfiles } from '#src/alarm-policy/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { type InheritedPolicy, inheritedFrom } from './policy-levels.ts';

/** The values that a monitor with this alert profile inherits, and all profiles; `error` if they cannot be read. */
export function useInherited(profileId: string | null): {
  inherited: InheritedPolicy;
  profiles: AlertProfile[];
  isPending: boolean;
  error: unknown;
} {
  const params = { org_id: useOrgId() };
  const profiles = useQuery(read(listAlertProfiles, { params, query: MAX_PAGE }));
  const standard = useQuery(read(getAlarmStandard, { params }));
  return {
    inherited: inheritedFrom(profileId, profiles.data ?? [], standard.data ?? null),
    profiles: profiles.data ?? [],
    isPending: profiles.isPending || standard.isPending,
    error: profiles.error ?? standard.error,
  };
}
