import { useTranslation } from 'react-i18next';
import type { Member } from '#src/members/contract.ts';
import type { OnCallSettings } from '#src/on-call/contract.ts';
import { Locked } from '#web/ui/Locked.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './RulesForm.module.css';
import { RulesForm } from './RulesForm.tsx';
import { RulesSentences } from './RulesSentences.tsx';
import type { RulesForm as RulesFormState } from './use-rules-form.ts';
import { zoneName } from './zones.ts';

type Props = { settings: OnCallSettings; form: RulesFormState; people: Member[]; mayEdit: boolean };

/** Handover and escalation rules: a form for people who may edit them, sentences for others. */
export function RulesPanel({ settings, form, people, mayEdit }: Props) {
  const { t } = useTranslation();
  if (mayEdit) {
    return (
      <Panel title={t('onCall.rules.title')}>
        <RulesForm form={form} people={people} />
      </Panel>
    );
  }
  const manual = people.find((person) => person.user_id === settings.manual_duty_user_id)?.name;
  return (
    <Panel
      title={t('onCall.rules.title')}
      aside={settings.entitled ? <Locked text={t('settings.ownersAndAdmins')} /> : null}
    >
      <dl className={styles.facts}>
        <dt>{t('onCall.rules.state')}</dt>
        <dd>{t(settings.enabled && settings.entitled ? 'onCall.rules.on' : 'onCall.rules.off')}</dd>
        <dt>{t('onCall.rules.mode')}</dt>
        <dd>
          {settings.rotation_mode === 'weekly'
            ? t('onCall.rules.weeklyWords')
            : t('onCall.rules.manualIs', { name: manual ?? t('onCall.nobody') })}
        </dd>
        <dt>{t('onCall.rules.zone')}</dt>
        <dd>{zoneName(settings.timezone)}</dd>
      </dl>
      <RulesSentences times={settings} />
    </Panel>
  );
}
