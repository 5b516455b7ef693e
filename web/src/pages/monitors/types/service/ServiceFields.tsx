import { Autocomplete, NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Agent } from '#src/agents/contract.ts';
import { isServiceName } from '#src/domain/service-name.ts';
import { AgentSelect, useChosenHost } from '#web/pages/monitors/form/AgentSelect.tsx';
import { Choice } from '#web/pages/monitors/form/Choice.tsx';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import own from '#web/pages/monitors/form/Section.module.css';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';
import type { ServiceValues } from './form.ts';

/** The service names of a kind that the host reports. */
function namesOn(host: Agent | undefined, kind: ServiceValues['kind']): string[] {
  const { service_inventory: services = [], process_inventory: processes = [] } = host ?? {};
  const names = services.filter((each) => each.kind === kind).map(({ name }) => name);
  return [...new Set(kind === 'process' ? [...names, ...processes] : names)].filter(isServiceName).sort();
}

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const { kind } = useConfigValues<ServiceValues>();
  const host = useChosenHost();
  return (
    <>
      <AgentSelect />
      <div className={own.choices}>
        <Choice
          label={t('fields.service.kind')}
          path="config.kind"
          data={[
            { value: 'process', label: t('fields.service.process') },
            { value: 'systemd', label: 'systemd' },
            { value: 'docker', label: 'Docker' },
          ]}
        />
        <Choice
          label={t('fields.service.expect')}
          path="config.expect"
          data={[
            { value: 'running', label: t('fields.service.running') },
            { value: 'stopped', label: t('fields.service.stopped') },
          ]}
        />
      </div>
      <Autocomplete
        label={t('fields.service.name')}
        description={
          host !== undefined && !host.inventory_enabled ? t('fields.service.noInventory') : undefined
        }
        placeholder="nginx"
        spellCheck={false}
        limit={100}
        maxDropdownHeight={280}
        data={namesOn(host, kind)}
        classNames={{ input: own.mono }}
        {...form.getInputProps('config.service')}
      />
      <div className={styles.row}>
        <NumberInput
          label={t('fields.service.maxCpu')}
          suffix=" %"
          min={0}
          placeholder={t('form.never')}
          {...form.getInputProps('config.max_cpu_pct')}
        />
        <NumberInput
          label={t('fields.service.maxMem')}
          suffix=" MB"
          min={0}
          placeholder={t('form.never')}
          {...form.getInputProps('config.max_mem_mb')}
        />
      </div>
    </>
  );
}

export const fields: TypeFields = { Open, sections: {} };
