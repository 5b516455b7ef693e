import { useTranslation } from 'react-i18next';
import type { OnCallSettings } from '#src/on-call/contract.ts';
import { everyWords } from '#web/every-words.ts';
import { useFormats } from '#web/format.ts';
import styles from './RulesForm.module.css';

export type Times = Pick<
  OnCallSettings,
  'channel_step_minutes' | 'escalation_stage1_minutes' | 'escalation_stage2_minutes' | 'reminder_minutes'
>;

/** The effect of the rules, in sentences. */
export function RulesSentences({ times }: { times: Times }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = (minutes: number) => formats.durationInWords(minutes * 60);
  const {
    channel_step_minutes: mail,
    escalation_stage1_minutes: one,
    escalation_stage2_minutes: two,
    reminder_minutes: reminder,
  } = times;
  return (
    <ul className={styles.sentences} aria-live="polite">
      <li>{t('onCall.rules.says.start')}</li>
      <li>
        {mail === 0 ? t('onCall.rules.says.mailAtOnce') : t('onCall.rules.says.mail', { after: words(mail) })}
      </li>
      <li>{t('onCall.rules.says.stage1', { after: words(one) })}</li>
      <li>{t('onCall.rules.says.stage2', { after: words(two) })}</li>
      <li>
        {reminder === 0
          ? t('onCall.rules.says.noReminder')
          : t('onCall.rules.says.reminder', { every: everyWords(t, formats, reminder * 60) })}
      </li>
    </ul>
  );
}
