import { NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { OF_MOUNT, unitOfMetric } from '#src/domain/agent.ts';
import { AGENT_METRICS } from '#src/monitors/types/agent/config.ts';
import { useFormats } from '#web/format.ts';
import { mountsOf } from '#web/pages/hosts/host-state.ts';
import { AgentSelect, useChosenHost } from '#web/pages/monitors/form/AgentSelect.tsx';
import { DurationInput } from '#web/pages/monitors/form/DurationInput.tsx';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';
import type { AgentValues } from './form.ts';
import { metricName } from './metric-words.ts';

const SUFFIXES = { pct: ' %', celsius: ' °C', bps: ' B/s' } as const;

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const { metric, window_seconds } = useConfigValues<AgentValues>();
  const unit = unitOfMetric(metric);
  const suffix = unit !== null && unit in SUFFIXES ? SUFFIXES[unit as keyof typeof SUFFIXES] : '';
  return (
    <>
      <div className={styles.row}>
        <AgentSelect />
        <MetricSelect />
      </div>
      {metric === 'online' ? null : (
        <div className={styles.row}>
          <Select
            label={t('fields.agent.op')}
            allowDeselect={false}
            data={(['gt', 'gte', 'lt', 'lte'] as const).map((op) => ({
              value: op,
              label: t(`form.operators.${op}`),
            }))}
            {...form.getInputProps('config.op')}
          />
          <NumberInput
            label={t('fields.agent.threshold')}
            suffix={suffix}
            {...form.getInputProps('config.threshold')}
          />
          <NumberInput
            label={t('fields.agent.degradedThreshold')}
            placeholder={t('form.never')}
            suffix={suffix}
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

/** The host's metrics, each with its current value; its own mounts beside the common ones. */
function MetricSelect() {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useMonitorForm();
  const { metric } = useConfigValues<AgentValues>();
  const host = useChosenHost();
  const nowOf = (of: string) => {
    const value = host?.readings[of];
    return value === undefined ? null : formats.measured(value, unitOfMetric(of) ?? 'none');
  };
  const mounts = mountsOf(host ?? { readings: {} }).map(({ mount }) => `${OF_MOUNT}${mount}`);
  // A mount that is currently missing, or a metric of a newer server, stays selected.
  const known = (AGENT_METRICS as readonly string[]).includes(metric);
  if (!known && !mounts.includes(metric)) mounts.push(metric);
  const option = (value: string) => ({ value, label: metricName(t, value) });
  const now = nowOf(metric);
  return (
    <Select
      label={t('fields.agent.metric')}
      description={
        metric === 'online'
          ? t('fields.agent.onlineHint')
          : now !== null
            ? t('hosts.now', { value: now })
            : host === undefined
              ? undefined
              : t('fields.agent.nothingNow')
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      searchable
      allowDeselect={false}
      maxDropdownHeight={320}
      data={[
        { group: t('fields.agent.readings'), items: AGENT_METRICS.map(option) },
        ...(mounts.length === 0 ? [] : [{ group: t('fields.agent.mounts'), items: mounts.map(option) }]),
      ]}
      renderOption={({ option: { value, label } }) => (
        <span className={styles.option}>
          <span>{label}</span>
          <span className={styles.aside}>{nowOf(value)}</span>
        </span>
      )}
      {...form.getInputProps('config.metric')}
    />
  );
}

export const fields: TypeFields = { Open, sections: {} };
