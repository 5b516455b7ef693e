import { useTranslation } from 'react-i18next';
import type { DrillReach, DrillRecord } from '#src/on-call/drills/contract.ts';
import { useFormats } from '#web/format.ts';
import styles from './Drills.module.css';
import { useDrillWords } from './use-drill-words.ts';

/** Each attempt to reach a person: channel, time, outcome, and what to do about a failure. */
export function DrillAttempts({ drill }: { drill: DrillRecord }) {
  const steps = Map.groupBy(drill.reaches, ({ step }) => step);
  const words = useDrillWords();
  return [...steps].map(([step, reaches]) => (
    <section key={step} className={styles.step} aria-label={words.step(step)}>
      <h3 className={styles.stepName}>{words.step(step)}</h3>
      <ul>
        {reaches.map((reach) => (
          <Reach key={`${reach.recipient_id} ${reach.channel}`} reach={reach} />
        ))}
      </ul>
    </section>
  ));
}

function Reach({ reach }: { reach: DrillReach }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useDrillWords();
  const { name, state, at_unix: at, settled_at_unix: settled } = reach;
  const remedy = words.remedy(reach);
  return (
    <li className={styles.reach} data-state={state}>
      <span className={styles.name}>{name ?? t('drills.gone')}</span>
      <span className={styles.channel}>{words.channel(reach)}</span>
      <span className={styles.state}>
        {t(`drills.state.${state}`)}
        {state === 'arrived' && settled !== null
          ? ` · ${formats.clock(settled)} (${t('drills.after', { time: formats.durationInWords(settled - at) })})`
          : ''}
      </span>
      {remedy === null ? null : <span className={styles.remedy}>{remedy}</span>}
    </li>
  );
}
