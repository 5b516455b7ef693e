// The default name of a monitor.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { hostsOf } from '#web/pages/hosts/hosts.ts';
import { hostOf } from '#web/pages/hosts/use-host-monitors.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { targetOf } from '../types.ts';

const MAX_CHARACTERS = 200;

/** The metric or service, and the host; "" while nothing is chosen. */
export function useSuggestedName(type: string, config: Record<string, unknown>): string {
  const { t } = useTranslation();
  const formats = useFormats();
  const agentId = hostOf({ type, config });
  const hosts = useQuery({ ...hostsOf(useOrgId()), enabled: agentId !== null });
  const target = targetOf({ type, config }, t, formats);
  const host = hosts.data?.find(({ id }) => id === agentId)?.hostname;
  return (host === undefined || target === '' ? target : `${host}: ${target}`).slice(0, MAX_CHARACTERS);
}
