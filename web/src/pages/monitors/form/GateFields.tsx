import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DEFAULT_GRACE_SECONDS } from '#src/domain/alarm-gate.ts';
import { ALARM_GATE_ORIGINS } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import { CollapsibleSection } from './CollapsibleSection.tsx';
import { DurationInput } from './DurationInput.tsx';
import { useMonitorForm } from './form-context.ts';
import own from './Section.module.css';

/** Which announced changes may hold the alarm, and for how long. */
export function GateFields({ startOpened }: { startOpened: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useMonitorForm();
  const [opened, setOpened] = useState(startOpened);
  const { origins, grace_seconds } = form.values.alarm_gate;
  const isWrong = Object.keys(form.errors).some((path) => path.startsWith('alarm_gate'));
  const summary =
    origins.length === 0
      ? t('gate.none')
      : t('gate.summary', {
          origins: formats.list(origins.map((origin) => t(`gate.origin.${origin as 'manual'}`))),
          duration: formats.durationInWords(grace_seconds === '' ? DEFAULT_GRACE_SECONDS : grace_seconds),
        });
  return (
    <CollapsibleSection
      title={t('gate.title')}
      summary={summary}
      opened={opened || isWrong}
      onToggle={() => setOpened(!opened)}
    >
      <p className={own.hint}>{t('gate.hint')}</p>
      <Checkbox.Group label={t('gate.origins')} {...form.getInputProps('alarm_gate.origins')}>
        <div className={own.regions}>
          {ALARM_GATE_ORIGINS.map((origin) => (
            <Checkbox key={origin} value={origin} label={t(`gate.origin.${origin}`)} />
          ))}
        </div>
      </Checkbox.Group>
      <div className={own.middle}>
        <DurationInput
          label={t('gate.grace')}
          hint={t('gate.graceHint')}
          placeholder="5"
          path="alarm_gate.grace_seconds"
          value={grace_seconds}
        />
      </div>
    </CollapsibleSection>
  );
}
