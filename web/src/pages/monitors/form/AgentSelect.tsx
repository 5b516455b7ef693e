import { Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Agent } from '#src/agents/contract.ts';
import { GLYPHS, hostState } from '#web/pages/hosts/host-state.ts';
import { HOSTS_POLL_MS, hostsOf } from '#web/pages/hosts/hosts.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import { useConfigValues, useMonitorForm } from './form-context.ts';

/** The host selected in the form; undefined if none is selected, or it is gone. */
export function useChosenHost(): Agent | undefined {
  const { agent_id: id } = useConfigValues<{ agent_id: string }>();
  const hosts = useQuery({ ...hostsOf(useOrgId()), refetchInterval: HOSTS_POLL_MS });
  return hosts.data?.find((host) => host.id === id);
}

/** Selects the host of a monitor. */
export function AgentSelect() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const form = useMonitorForm();
  const { agent_id: chosen } = useConfigValues<{ agent_id: string }>();
  const hosts = useQuery(hostsOf(orgId));
  const byId = new Map(hosts.data?.map((host) => [host.id, host]));
  const data = [...byId.values()]
    .map(({ id, hostname }) => ({ value: id, label: hostname }))
    .sort((a, b) => a.label.localeCompare(b.label));
  if (hosts.isSuccess && chosen !== '' && !byId.has(chosen))
    data.push({ value: chosen, label: t('fields.agent.goneHost', { id: chosen }) });
  return (
    <Select
      label={t('fields.agent.host')}
      description={
        hosts.data?.length === 0 ? (
          <Link to="/o/$orgId/hosts" params={{ orgId }}>
            {t('fields.agent.noHosts')}
          </Link>
        ) : undefined
      }
      placeholder={t('fields.agent.chooseHost')}
      searchable
      allowDeselect={false}
      limit={100}
      maxDropdownHeight={280}
      nothingFoundMessage={t('fields.nothingFound')}
      data={data}
      renderOption={({ option }) => {
        const host = byId.get(option.value);
        return (
          <Group gap={9} wrap="nowrap">
            {host === undefined ? null : <StatusGlyph state={GLYPHS[hostState(host)]} />}
            <span>{option.label}</span>
          </Group>
        );
      }}
      {...form.getInputProps('config.agent_id')}
    />
  );
}
