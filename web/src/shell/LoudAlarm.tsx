import { Button } from '@mantine/core';
import { IconBellRinging, IconEye, IconVolume, IconVolumeOff } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import { acknowledgeAll } from '../alarm/acknowledge.ts';
import { useRingingDrill } from '../alarm/drill.ts';
import { type RingingIncident, useRinging } from '../alarm/ringing.ts';
import { enableSound } from '../alarm/sound.ts';
import { type BellState, silenceBrowser, useBell } from '../alarm/use-bell.ts';
import { useAlarmInTitle } from '../page-title.ts';
import { useCauseWords, useStormWords } from '../pages/incidents/use-cause-words.ts';
import { Duration } from '../ui/Times.tsx';
import { inNote, useWrite } from '../use-write.ts';
import { DrillBar } from './DrillBar.tsx';
import styles from './LoudAlarm.module.css';
import { useTopBarHeight } from './top-bar-height.ts';

/** The loud alarm: sound, title and a bar on every page, until somebody acknowledges it. */
export function LoudAlarm() {
  const { t } = useTranslation();
  const ringing = useRinging();
  const drill = useRingingDrill();
  const state = useBell(ringing.length > 0 || drill !== null);
  const [first] = ringing;
  useAlarmInTitle(
    first === undefined
      ? null
      : `🔔 ${ringing.length === 1 ? nameOf(first) : t('loudAlarm.several', { count: ringing.length })}`,
  );
  // A real alarm comes before a drill.
  if (first !== undefined) return <Bar ringing={ringing} first={first} state={state} />;
  return drill === null ? null : <DrillBar drill={drill} state={state} sound={<Sound state={state} />} />;
}

/** The storm's name, if all of them belong to it. */
function stormOf([first, ...others]: RingingIncident[]): string | null {
  const name = first?.group_name ?? null;
  return others.every(({ group_name }) => group_name === name) ? name : null;
}

const nameOf = ({ monitor_name, cause }: RingingIncident) => monitor_name ?? cause;

type BarProps = { ringing: RingingIncident[]; first: RingingIncident; state: BellState };

function Bar({ ringing, first, state }: BarProps) {
  const { t } = useTranslation();
  const bar = useRef<HTMLElement>(null);
  useTopBarHeight(bar, '--alarm-bar');
  return (
    <section
      className={styles.bar}
      ref={bar}
      aria-label={t('loudAlarm.title')}
      data-state={state}
      data-loud-alarm={state}
    >
      <IconBellRinging className={styles.bell} size={22} stroke={1.8} aria-hidden="true" />
      <div className={styles.words} role="alert">
        <What ringing={ringing} first={first} />
      </div>
      <div className={styles.actions}>
        <Sound state={state} />
        <Acknowledge ringing={ringing} first={first} />
      </div>
    </section>
  );
}

function What({ ringing, first }: Omit<BarProps, 'state'>) {
  const { t } = useTranslation();
  const { orgId } = useParams({ strict: false });
  const words = useCauseWords();
  const stormWords = useStormWords();
  const elsewhere = first.orgId === orgId ? null : <span className={styles.where}>{first.organization}</span>;
  if (ringing.length === 1) {
    return (
      <>
        <span className={styles.line}>
          <Link
            className={styles.name}
            to="/o/$orgId/incidents/$incidentId"
            params={{ orgId: first.orgId, incidentId: first.incident_id }}
          >
            {nameOf(first)}
          </Link>
          {elsewhere}
          <span className={styles.since}>
            {t('loudAlarm.since')} <Duration from={first.since_unix} to={null} />
          </span>
        </span>
        {first.monitor_name === null ? null : <span className={styles.cause}>{words(first.cause)}</span>}
      </>
    );
  }
  const shown = ringing.slice(0, 3);
  const storm = stormOf(ringing);
  const count = t('loudAlarm.several', { count: ringing.length });
  return (
    <>
      <span className={styles.line}>
        <Link className={styles.name} to="/o/$orgId/incidents" params={{ orgId: first.orgId }}>
          {storm === null ? count : `${stormWords(storm)}: ${count}`}
        </Link>
        {elsewhere}
        <span className={styles.since}>
          {t('loudAlarm.since')} <Duration from={first.since_unix} to={null} />
        </span>
      </span>
      <span className={styles.cause}>
        {shown.map((each) => isolated(nameOf(each))).join(', ')}
        {ringing.length > shown.length
          ? ` ${t('loudAlarm.more', { count: ringing.length - shown.length })}`
          : ''}
      </span>
    </>
  );
}

function Acknowledge({ ringing, first }: Omit<BarProps, 'state'>) {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });
  const acknowledge = () =>
    write.run(async () => {
      const shown = new Set(ringing.map(({ incident_id }) => incident_id));
      for (const orgId of new Set(ringing.map((each) => each.orgId))) await acknowledgeAll(orgId, shown);
    });
  return (
    <Button
      className={styles.take}
      leftSection={<IconEye size={17} />}
      // Beside the button on an incident's own page, this one names its incident.
      aria-label={ringing.length === 1 ? t('loudAlarm.acknowledgeNamed', { name: nameOf(first) }) : undefined}
      loading={write.busy}
      onClick={() => void acknowledge()}
    >
      {t(ringing.length === 1 ? 'incidents.acknowledge' : 'loudAlarm.acknowledgeAll')}
    </Button>
  );
}

/** The control for sound in this browser, by its state. */
function Sound({ state }: { state: BellState }) {
  const { t } = useTranslation();
  if (state === 'blocked') {
    return (
      <>
        <span className={styles.note}>{t('loudAlarm.blocked')}</span>
        <Button
          className={styles.quiet}
          variant="default"
          leftSection={<IconVolume size={17} />}
          onClick={() => void enableSound()}
        >
          {t('loudAlarm.turnOn')}
        </Button>
      </>
    );
  }
  if (state === 'silent') {
    return (
      <Button
        className={styles.quiet}
        variant="default"
        leftSection={<IconVolume size={17} />}
        onClick={() => silenceBrowser(false)}
      >
        {t('loudAlarm.ringAgain')}
      </Button>
    );
  }
  if (state === 'off') return <span className={styles.note}>{t('loudAlarm.offInBrowser')}</span>;
  return (
    <>
      {state === 'elsewhere' ? <span className={styles.note}>{t('loudAlarm.elsewhere')}</span> : null}
      <Button
        className={styles.quiet}
        variant="default"
        leftSection={<IconVolumeOff size={17} />}
        title={t('loudAlarm.silenceHint')}
        onClick={() => silenceBrowser(true)}
      >
        {t('loudAlarm.silence')}
      </Button>
    </>
  );
}
