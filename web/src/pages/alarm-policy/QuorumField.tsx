import { NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QUORUM_MODES, type QuorumMode } from '#src/domain/names.ts';
import { takesValue } from '#src/domain/policy.ts';
import { useFormats } from '#web/format.ts';
import { valueWords } from '../monitors/form/alarm-words.ts';
import { useLevels } from './levels.ts';
import styles from './PolicyForm.module.css';
import { usePolicyForm } from './policy-form.ts';

/** How many regions must agree. The value belongs to the effective mode, whichever level sets it. */
export function QuorumField({ side }: { side: 'alarm' | 'recovery' }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = usePolicyForm();
  const { below, origin } = useLevels();
  const own = form.values[`${side}_quorum_mode`];
  const mode = own === '' ? below[`${side}_quorum_mode`] : (own as QuorumMode);
  const inherited = own === '' ? below[`${side}_quorum_value`] : null;
  return (
    <div className={styles.pair}>
      <Select
        label={t(`alarm.${side}Quorum`)}
        description={origin(`${side}_quorum_mode`, own !== '')}
        allowDeselect={false}
        data={[
          {
            value: '',
            label: t('alarm.inherited', { value: valueWords(t, formats, below, `${side}_quorum_mode`) }),
          },
          ...QUORUM_MODES.map((value) => ({ value: value as string, label: t(`alarm.mode.${value}`) })),
        ]}
        {...form.getInputProps(`${side}_quorum_mode`)}
        onChange={(chosen) => {
          form.setFieldValue(`${side}_quorum_mode`, chosen ?? '');
          form.setFieldValue(`${side}_quorum_value`, '');
        }}
      />
      {takesValue(mode) ? (
        <NumberInput
          label={t(mode === 'percent' ? 'alarm.quorumPercent' : 'alarm.quorumCount')}
          placeholder={inherited === null ? '' : formats.integer(inherited)}
          min={1}
          max={mode === 'percent' ? 100 : 1000}
          suffix={mode === 'percent' ? ' %' : ''}
          allowDecimal={false}
          {...form.getInputProps(`${side}_quorum_value`)}
        />
      ) : null}
    </div>
  );
}
