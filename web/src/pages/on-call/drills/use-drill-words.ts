import { useTranslation } from 'react-i18next';
import type { Drill, DrillReach } from '#src/on-call/drills/contract.ts';

const STEPS = ['start', 'mail', 'stage1', 'stage2', 'drill_end'] as const;
const REMEDIES = [
  'mail_not_configured',
  'no_push_subscription',
  'no_dashboard_rang',
  'switched_off',
  'bad_recipient',
  'smtp_auth',
] as const;

const isOneOf = <T extends string>(all: readonly T[], text: string): text is T =>
  (all as readonly string[]).includes(text);

/** The texts for fire drills. */
export function useDrillWords() {
  const { t } = useTranslation();
  const gone = t('drills.gone');
  return {
    whose: ({ scope, person_name }: Drill) =>
      scope === 'chain' ? t('drills.whole') : t('drills.forPerson', { name: person_name ?? gone }),
    outcome: ({ outcome, ended_by_name }: Drill) =>
      t(`drills.outcome.${outcome ?? 'running'}`, { name: ended_by_name ?? gone }),
    result: ({ outcome, ended_by_name }: Drill) =>
      t(`drills.result.${outcome ?? 'running'}`, { name: ended_by_name ?? gone }),
    step: (step: string) => (isOneOf(STEPS, step) ? t(`drills.step.${step}`) : step),
    channel: ({ channel }: DrillReach) =>
      channel === 'loud_alarm' || channel === 'push' || channel === 'mail'
        ? t(`alarmPlan.channel.${channel}`)
        : t(`targets.kinds.${channel}`),
    /** Why an attempt failed and what to do; null: it did not fail. */
    remedy: ({ error, channel }: DrillReach) => {
      if (error === null) return null;
      if (isOneOf(REMEDIES, error)) return t(`drills.remedy.${error}`);
      const way = channel === 'mail' ? 'mail' : channel === 'push' ? 'push' : 'target';
      return t(`drills.remedyOther.${way}`, { error });
    },
  };
}
