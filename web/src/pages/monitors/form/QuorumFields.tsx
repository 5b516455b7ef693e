import { NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QUORUM_MODES, type QuorumMode } from '#src/domain/names.ts';
import { type EffectivePolicy, takesValue } from '#src/domain/policy.ts';
import { useFormats } from '#web/format.ts';
import styles from '#web/ui/Form.module.css';
import { valueWords } from './alarm-words.ts';
import { useMonitorForm } from './form-context.ts';

type Props = { side: 'alarm' | 'recovery'; inherited: EffectivePolicy; from: string };

/** How many regions must agree. `from` names the source of an inherited value. */
export function QuorumFields({ side, inherited, from }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useMonitorForm();
  const mode = form.values.policy[`${side}_quorum_mode`];
  return (
    <div className={styles.row}>
      <Select
        label={t(`alarm.${side}Quorum`)}
        description={mode === '' ? from : t('alarm.setBy')}
        allowDeselect={false}
        data={[
          {
            value: '',
            label: t('alarm.inherited', { value: valueWords(t, formats, inherited, `${side}_quorum_mode`) }),
          },
          ...QUORUM_MODES.map((value) => ({ value: value as string, label: t(`alarm.mode.${value}`) })),
        ]}
        {...form.getInputProps(`policy.${side}_quorum_mode`)}
        onChange={(value) => {
          form.setFieldValue(`policy.${side}_quorum_mode`, value ?? '');
          if (value === null || value === '' || !takesValue(value as QuorumMode)) {
            form.setFieldValue(`policy.${side}_quorum_value`, '');
          }
        }}
      />
      {mode !== '' && takesValue(mode as QuorumMode) ? (
        <NumberInput
          label={t(mode === 'percent' ? 'alarm.quorumPercent' : 'alarm.quorumCount')}
          min={1}
          max={mode === 'percent' ? 100 : Math.max(1, form.values.regions.length)}
          allowDecimal={false}
          {...form.getInputProps(`policy.${side}_quorum_value`)}
        />
      ) : null}
    </div>
  );
}
