import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import type { Member } from '#src/members/contract.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import type { Meanwhile } from '#web/meanwhile/use-meanwhile.ts';
import type { OnCallValues } from './use-on-call-draft.ts';

const LABELS: Record<keyof OnCallValues, `onCall.${string}`> = {
  enabled: 'onCall.rules.enabled',
  timezone: 'onCall.rules.zone',
  rotation_mode: 'onCall.rules.mode',
  manual_duty_user_id: 'onCall.rules.manualPerson',
  channel_step_minutes: 'onCall.rules.channel_step_minutes',
  escalation_stage1_minutes: 'onCall.rules.escalation_stage1_minutes',
  escalation_stage2_minutes: 'onCall.rules.escalation_stage2_minutes',
  reminder_minutes: 'onCall.rules.reminder_minutes',
  roster: 'onCall.roster.title',
};

type Props = { meanwhile: Meanwhile<OnCallValues>; people: readonly Member[] };

/** What somebody else has changed of roster and rules. */
export function OnCallMeanwhile({ meanwhile, people }: Props) {
  const { t } = useTranslation();
  const nameOf = (id: unknown) => people.find(({ user_id }) => user_id === id)?.name ?? t('onCall.nobody');
  const wordsOf = (path: string, value: unknown) => {
    if (path === 'roster' && Array.isArray(value) && value.length > 0)
      return value.map((id) => isolated(nameOf(id))).join(', ');
    if (path === 'manual_duty_user_id') return nameOf(value);
    return path === 'rotation_mode' ? t(`onCall.rules.${value as 'weekly' | 'manual'}`) : undefined;
  };
  return (
    <ChangedMeanwhile
      clashes={meanwhile.clashes}
      stopped={meanwhile.stopped}
      labelOf={(path) => t(LABELS[path as keyof OnCallValues] as 'onCall.roster.title')}
      wordsOf={wordsOf}
      onSettle={meanwhile.settle}
    />
  );
}
