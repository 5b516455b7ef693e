import { Select, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Choice } from '#web/pages/monitors/form/Choice.tsx';
import { DurationInput } from '#web/pages/monitors/form/DurationInput.tsx';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import own from '#web/pages/monitors/form/Section.module.css';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';
import { CronPreview } from './CronPreview.tsx';
import type { HeartbeatValues } from './form.ts';

function Open() {
  const { t } = useTranslation();
  const { schedule, grace_seconds } = useConfigValues<HeartbeatValues>();
  return (
    <>
      <Choice
        label={t('fields.heartbeat.schedule')}
        path="config.schedule.kind"
        data={[
          { value: 'period', label: t('fields.heartbeat.period') },
          { value: 'cron', label: t('fields.heartbeat.cron') },
        ]}
      />
      {schedule.kind === 'cron' ? <CronFields /> : null}
      <div className={styles.row}>
        {schedule.kind === 'period' ? (
          <DurationInput
            label={t('fields.heartbeat.every')}
            hint={t('fields.heartbeat.everyHint')}
            path="config.schedule.period_seconds"
            value={schedule.period_seconds}
          />
        ) : null}
        <DurationInput
          label={t('fields.heartbeat.grace')}
          hint={t('fields.heartbeat.graceHint')}
          path="config.grace_seconds"
          value={grace_seconds}
        />
      </div>
    </>
  );
}

function CronFields() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const { schedule } = useConfigValues<HeartbeatValues>();
  const expression = form.getInputProps('config.schedule.expression');
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf('timeZone');
    return [...new Set(['UTC', schedule.timezone, ...known])];
  }, [schedule.timezone]);
  return (
    <>
      <div className={styles.row}>
        <TextInput
          label={t('fields.heartbeat.expression')}
          description={t('fields.heartbeat.expressionHint')}
          placeholder="30 4 * * 1-5"
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: own.mono }}
          {...expression}
        />
        <Select
          label={t('fields.heartbeat.timezone')}
          data={zones}
          searchable
          allowDeselect={false}
          limit={100}
          maxDropdownHeight={260}
          nothingFoundMessage={t('fields.nothingFound')}
          {...form.getInputProps('config.schedule.timezone')}
        />
      </div>
      <CronPreview
        expression={schedule.expression}
        timezone={schedule.timezone}
        isRefused={expression.error != null}
      />
    </>
  );
}

function Runs() {
  const { t } = useTranslation();
  const { max_runtime_seconds } = useConfigValues<HeartbeatValues>();
  return (
    <div className={styles.row}>
      <DurationInput
        label={t('fields.heartbeat.maxRuntime')}
        hint={t('fields.heartbeat.maxRuntimeHint')}
        placeholder={t('fields.heartbeat.unlimited')}
        path="config.max_runtime_seconds"
        value={max_runtime_seconds}
      />
    </div>
  );
}

export const fields: TypeFields = { Open, sections: { runs: Runs } };
