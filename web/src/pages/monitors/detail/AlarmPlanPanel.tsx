import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type AlarmPlan, getMonitorAlarmPlan } from '#src/on-call/alarm-plan-contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './AlarmPlanPanel.module.css';
import { AlarmPlanWarnings } from './AlarmPlanWarnings.tsx';
import { useAlarmPlanSentence } from './alarm-plan-words.ts';

const alarmPlanOf = (monitorId: string) => ({
  ...read(getMonitorAlarmPlan, { params: { monitor_id: monitorId } }),
  refetchInterval: 60_000,
});

/** Who would be notified if the monitor went down now: in which order, how, and any obstacle. */
export function AlarmPlanPanel({ monitorId }: { monitorId: string }) {
  const { t } = useTranslation();
  const plan = useQuery(alarmPlanOf(monitorId));
  return (
    <Panel title={t('alarmPlan.title')}>
      {plan.isPending ? <LoadingRows count={3} height={30} /> : null}
      {plan.isLoadingError ? <Failure error={plan.error} retry={plan.refetch} /> : null}
      {plan.data === undefined ? null : (
        <>
          {plan.data.quiet === null ? null : (
            <p className={styles.quiet}>{t(`alarmPlan.quiet.${plan.data.quiet}`)}</p>
          )}
          <ol className={styles.list}>
            {plan.data.steps.map((step) => (
              <Step key={step.step} step={step} />
            ))}
          </ol>
          <AlarmPlanWarnings warnings={plan.data.warnings} />
        </>
      )}
    </Panel>
  );
}

/** For a monitor that was just created: one sentence, and a suggestion to improve it. */
export function NewMonitorAlarmPlan({ monitorId }: { monitorId: string }) {
  const plan = useQuery(alarmPlanOf(monitorId));
  const sentence = useAlarmPlanSentence();
  if (plan.data === undefined) return null;
  return (
    <section className={styles.first} aria-live="polite">
      <p className={styles.sentence}>{sentence(plan.data)}</p>
      <AlarmPlanWarnings warnings={plan.data.warnings} />
    </section>
  );
}

type PlanStep = AlarmPlan['steps'][number];

function Step({ step }: { step: PlanStep }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { people, targets } = step;
  const after = formats.durationInWords(step.after_minutes * 60);
  const when =
    step.after_minutes === 0
      ? t('alarmPlan.atOnce')
      : t(`alarmPlan.${step.step === 'reminder' ? 'afterThat' : 'afterUnacknowledged'}`, { after });
  return (
    <li className={styles.step}>
      <p className={styles.when}>
        {when}
        {step.fallback && people.length > 0 ? (
          <span> · {t(`alarmPlan.fallback.${step.step === 'stage1' ? 'nobodyElse' : 'nobodyOnDuty'}`)}</span>
        ) : null}
      </p>
      {people.length + targets.length === 0 ? <p className={styles.none}>{t('alarmPlan.nobody')}</p> : null}
      <ul className={styles.reached}>
        {people.map(({ user_id, name, channels }) => (
          <li key={user_id}>
            <span className={styles.name}>{name}</span>
            {channels.map(({ channel, works, problem }) => (
              <span key={channel} className={styles.way} data-broken={!works || undefined}>
                {t(`alarmPlan.channel.${channel}`)}
                {problem === null ? null : ` (${t(`alarmPlan.channelProblem.${problem}`)})`}
              </span>
            ))}
          </li>
        ))}
        {targets.map(({ target_id, name, kind, works, problem }) => (
          <li key={target_id}>
            <span className={styles.name}>{name}</span>
            <span className={styles.way} data-broken={!works || undefined}>
              {t(`targets.kinds.${kind}`)}
              {problem === null ? null : ` (${t(`alarmPlan.targetProblem.${problem}`)})`}
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
}
