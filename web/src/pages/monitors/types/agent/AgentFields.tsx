import { Autocomplete, NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AGENT_METRICS } from '#src/monitors/types/agent/config.ts';
import { DurationInput } from '#web/pages/monitors/form/DurationInput.tsx';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';
import type { AgentValues } from './form.ts';

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const { metric, window_seconds } = useConfigValues<AgentValues>();
  const known = (AGENT_METRICS as readonly string[]).includes(metric);
  return (
    <>
      <div className={styles.row}>
        <Autocomplete
          label={t('fields.agent.metric')}
          description={known ? t(`fields.agent.metrics.${metric as 'cpu_pct'}`) : t('fields.agent.mount')}
          data={[...AGENT_METRICS]}
          {...form.getInputProps('config.metric')}
        />
        {metric === 'online' ? null : (
          <>
            <Select
              label={t('fields.agent.op')}
              allowDeselect={false}
              data={(['gt', 'gte', 'lt', 'lte'] as const).map((op) => ({
                value: op,
                label: t(`form.operators.${op}`),
              }))}
              {...form.getInputProps('config.op')}
            />
            <NumberInput label={t('fields.agent.threshold')} {...form.getInputProps('config.threshold')} />
          </>
        )}
      </div>
      {metric === 'online' ? null : (
        <div className={styles.row}>
          <NumberInput
            label={t('fields.agent.degradedThreshold')}
            placeholder={t('form.never')}
            {...form.getInputProps('config.degraded_threshold')}
          />
          <DurationInput
            label={t('fields.agent.window')}
            path="config.window_seconds"
            value={window_seconds}
          />
        </div>
      )}
    </>
  );
}

export const fields: TypeFields = { Open, folds: {} };
