// Who is notified, in one sentence.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ALARM_CHANNELS } from '#src/domain/names.ts';
import type { AlarmPlan } from '#src/on-call/alarm-plan-contract.ts';
import { useFormats } from '#web/format.ts';
import { sessionQuery } from '#web/session.ts';

/** Returns a function that says how the reader is notified, or who is instead. */
export function useAlarmPlanSentence(): (plan: AlarmPlan) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const me = useQuery(sessionQuery).data?.user.id;
  return ({ steps }) => {
    const people = steps.flatMap((step) => step.people);
    const own = people.filter(({ user_id }) => user_id === me);
    const counted = own.length > 0 ? own : people;
    const working = counted.flatMap(({ channels }) => channels.filter(({ works }) => works));
    const ways = ALARM_CHANNELS.filter((way) => working.some(({ channel }) => channel === way));
    const words = formats.list(ways.map((way) => t(`alarmPlan.channel.${way}`)));
    const reached = steps.flatMap((step) => step.targets).filter(({ works }) => works);
    const targets = formats.list([...new Set(reached.map(({ name }) => name))]);
    if (ways.length === 0)
      return reached.length === 0 ? t('alarmPlan.nobodyNow') : t('alarmPlan.onlyTargets', { targets });
    if (ways.every((way) => way === 'loud_alarm'))
      return reached.length === 0 ? t('alarmPlan.onlySound') : t('alarmPlan.soundAndTargets', { targets });
    if (own.length > 0) return t('alarmPlan.willBe', { ways: words });
    const names = [...new Set(people.map(({ name }) => name))];
    return t('alarmPlan.notYou', { people: formats.list(names), ways: words });
  };
}
