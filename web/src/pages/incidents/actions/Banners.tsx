import { Button } from '@mantine/core';
import { IconPlayerPause, IconRestore, IconTrashX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import { useFormats } from '#web/format.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import styles from './Actions.module.css';
import type { IncidentSteps } from './use-incident-step.ts';

/** Whole seconds until `unix`, updated every second; 0 once it has passed. */
function useSecondsUntil(unix: number): number {
  const left = () => Math.max(0, unix - Math.floor(Date.now() / 1_000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the remaining seconds depend on the moment alone
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1_000);
    return () => clearInterval(timer);
  }, [unix]);
  return seconds;
}

/** Who holds the alarm, until when, and how to end the hold. */
export function HeldBanner({ incident, steps }: { incident: IncidentDetail; steps: IncidentSteps }) {
  const until = incident.alarm_held_until_unix;
  if (until === null || incident.status !== 'open') return null;
  return <Held until={until} who={incident.alarm_held_by_name} steps={steps} />;
}

function Held({ until, who, steps }: { until: number; who: string | null; steps: IncidentSteps }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const left = useSecondsUntil(until);
  const mayAct = useMayAct();
  if (left === 0) return null;
  const time = formats.moment(until);
  return (
    <div className={styles.banner}>
      <IconPlayerPause className={styles.icon} size={20} aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.said}>
          {who === null ? t('hold.bannerNobody', { time }) : t('hold.banner', { who, time })}
        </p>
        <p className={styles.more}>{t('hold.bannerText')}</p>
      </div>
      <span className={styles.left} role="timer">
        {t('hold.left', { time: formats.duration(left) })}
      </span>
      {mayAct ? (
        <Button
          variant="default"
          disabled={steps.running !== null}
          loading={steps.running === 'hold'}
          onClick={() => steps.run({ do: 'hold', seconds: 0 })}
        >
          {t('hold.end')}
        </Button>
      ) : null}
    </div>
  );
}

/** Says that a false alarm is left out of all figures, and how to undo that. */
export function DiscardedBanner({ onRestore }: { onRestore: (() => void) | null }) {
  const { t } = useTranslation();
  return (
    <div className={styles.banner} data-quiet>
      <IconTrashX className={styles.icon} size={20} aria-hidden="true" />
      <p className={`${styles.words} ${styles.said}`}>{t('discard.banner')}</p>
      {onRestore === null ? null : (
        <Button variant="default" leftSection={<IconRestore size={17} />} onClick={onRestore}>
          {t('discard.restore')}
        </Button>
      )}
    </div>
  );
}
