import { Button } from '@mantine/core';
import { IconBellRinging, IconEye } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { acknowledgeDrill, confirmDrillRings } from '#src/on-call/drills/contract.ts';
import type { RingingDrill } from '../alarm/drill.ts';
import type { BellState } from '../alarm/use-bell.ts';
import { inNote, useWrite } from '../use-write.ts';
import { send } from '../write.ts';
import styles from './LoudAlarm.module.css';
import { useTopBarHeight } from './top-bar-height.ts';

type Props = { drill: RingingDrill; state: BellState; sound: ReactNode };

/** A fire drill rings like an alarm, in another colour, and says that it is a drill. */
export function DrillBar({ drill, state, sound }: Props) {
  const { t } = useTranslation();
  const bar = useRef<HTMLElement>(null);
  useTopBarHeight(bar, '--alarm-bar');
  const write = useWrite({ show: inNote });
  const params = { org_id: drill.orgId, drill_id: drill.id };
  useSaysThatItRings(drill, state);
  return (
    <section
      className={styles.bar}
      ref={bar}
      aria-label={t('drills.bar.title')}
      data-state={state}
      data-drill
    >
      <IconBellRinging className={styles.bell} size={22} stroke={1.8} aria-hidden="true" />
      <div className={styles.words} role="alert">
        <span className={styles.line}>
          <Link
            className={styles.name}
            to="/o/$orgId/on-call/drills/$drillId"
            params={{ orgId: drill.orgId, drillId: drill.id }}
          >
            {t('drills.bar.title')}
          </Link>
        </span>
        <span className={styles.cause}>{t('drills.bar.text')}</span>
      </div>
      <div className={styles.actions}>
        {sound}
        <Button
          className={styles.take}
          leftSection={<IconEye size={17} />}
          loading={write.busy}
          onClick={() => void write.run(() => send(acknowledgeDrill, { params }))}
        >
          {t('drills.acknowledge')}
        </Button>
      </div>
    </section>
  );
}

/** The record of a drill says whether a dashboard rang: this tab did, or another one of the same browser. */
function useSaysThatItRings({ orgId, id }: RingingDrill, state: BellState): void {
  const rings = state === 'sounding' || state === 'elsewhere';
  useEffect(() => {
    if (!rings) return;
    // Fire and forget: a finished drill no longer accepts it.
    send(confirmDrillRings, { params: { org_id: orgId, drill_id: id } }).catch(() => undefined);
  }, [rings, orgId, id]);
}
