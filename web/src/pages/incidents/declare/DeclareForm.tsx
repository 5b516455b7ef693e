import { SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  INCIDENT_SEVERITIES,
  INCIDENT_SEVERITY_LEVELS,
  type IncidentSeverity,
  type IncidentSeverityLevel,
} from '#src/domain/names.ts';
import type { createIncident } from '#src/incidents/actions-contract.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import { useOrganizationMonitors } from '#web/pages/monitors/form/use-organization-monitors.ts';
import { isDifferent } from '#web/ui/differ.ts';
import stack from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useWrite } from '#web/use-write.ts';
import { toLocalInput } from '../actions/local-time.ts';
import { useCommandRefusal } from '../use-command-refusal.ts';
import { Consequences } from './Consequences.tsx';
import styles from './Declare.module.css';
import { bodyOf, hasBegun, type Values } from './values.ts';

type Props = {
  orgId: string;
  monitorId: string | null;
  onDeclare: (body: BodyOf<typeof createIncident>) => Promise<void>;
  onCancel: () => void;
};

/** Fields that show their own refusals. */
const FIELDS = ['cause', 'summary', 'monitor_id', 'started_at_unix'];
const nowUnix = () => Math.floor(Date.now() / 1_000);

/** The title, severity and start of an incident, and the effect of declaring it. */
export function DeclareForm({ orgId, monitorId, onDeclare, onCancel }: Props) {
  const { t } = useTranslation();
  const write = useWrite({ words: useCommandRefusal() });
  const { projects } = useOrganizationMonitors();
  const [values, setValues] = useState<Values>(() => ({
    cause: '',
    summary: '',
    monitorId,
    severity: 'critical',
    level: null,
    began: 'now',
    beganAt: toLocalInput(nowUnix() - 900),
  }));
  const [initial] = useState(values);
  const [tried, setTried] = useState(false);
  const change = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }));
  const isCauseMissing = values.cause.trim() === '';
  const isTimeWrong = !hasBegun(values, nowUnix());

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (!isCauseMissing && !isTimeWrong) void write.run(() => onDeclare(bodyOf(values)));
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        data-autofocus
        label={t('declare.cause')}
        placeholder={t('declare.causePlaceholder')}
        maxLength={1000}
        value={values.cause}
        error={tried && isCauseMissing ? t('declare.causeNeeded') : write.at('cause')}
        onChange={(event) => change({ cause: event.currentTarget.value })}
      />
      <Textarea
        label={t('declare.summary')}
        description={t('declare.summaryHint')}
        autosize
        minRows={3}
        maxRows={16}
        maxLength={20_000}
        value={values.summary}
        error={write.at('summary')}
        onChange={(event) => change({ summary: event.currentTarget.value })}
      />
      <div>
        <p className={styles.label}>{t('declare.severity')}</p>
        <SegmentedControl
          aria-label={t('declare.severity')}
          value={values.severity}
          onChange={(value) => change({ severity: value as IncidentSeverity })}
          data={INCIDENT_SEVERITIES.map((value) => ({ value, label: t(`incidents.severity.${value}`) }))}
        />
        <p className={styles.hint}>{t(`declare.severityHint.${values.severity}`)}</p>
      </div>
      <div className={stack.row}>
        <Select
          label={t('declare.monitor')}
          description={t('declare.monitorHint')}
          placeholder={t('declare.noMonitor')}
          clearable
          searchable
          value={values.monitorId}
          error={write.at('monitor_id')}
          data={projects
            .filter(({ monitors }) => monitors.length > 0)
            .map(({ heading, monitors }) => ({
              group: heading,
              items: monitors.map(({ id, name }) => ({ value: id, label: name })),
            }))}
          onChange={(value) => change({ monitorId: value })}
        />
        <Select
          label={t('declare.level')}
          description={t('declare.levelHint')}
          placeholder={t('declare.noLevel')}
          clearable
          value={values.level}
          data={INCIDENT_SEVERITY_LEVELS.map((value) => ({ value, label: t(`declare.levels.${value}`) }))}
          onChange={(value) => change({ level: value as IncidentSeverityLevel | null })}
        />
      </div>
      <div className={styles.began}>
        <div>
          <p className={styles.label}>{t('declare.began')}</p>
          <SegmentedControl
            aria-label={t('declare.began')}
            value={values.began}
            onChange={(value) => change({ began: value as Values['began'] })}
            data={(['now', 'earlier'] as const).map((value) => ({
              value,
              label: t(`declare.beganWhen.${value}`),
            }))}
          />
        </div>
        {values.began === 'earlier' ? (
          <TextInput
            type="datetime-local"
            label={t('declare.beganAt')}
            description={t('declare.beganHint')}
            max={toLocalInput(nowUnix())}
            value={values.beganAt}
            error={isTimeWrong ? t('declare.beganWrong') : write.at('started_at_unix')}
            onChange={(event) => change({ beganAt: event.currentTarget.value })}
          />
        ) : null}
      </div>
      <Consequences orgId={orgId} severity={values.severity} />
      <UnsavedGuard isDirty={isDifferent(values, initial) && !write.busy} />
      <Refused write={write} fields={FIELDS} />
      <FormActions submit={t('declare.submit')} busy={write.busy} onCancel={onCancel} />
    </form>
  );
}
