import { IconAlertTriangle, IconBellOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Duty, getDuty, listShifts, type OnCallSettings, type Roster } from '#src/on-call/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { sessionQuery } from '#web/session.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { useNow } from '#web/ui/use-now.ts';
import styles from './OnCallNow.module.css';
import { colourOf, Disc } from './people.tsx';
import { WEEKS } from './SchedulePanel.tsx';
import { inNamedZone } from './zones.ts';

type Props = { settings: OnCallSettings; roster: Roster };

/** Who is on call now, and until when; or that nobody is, and the consequence. */
export function OnCallNow({ settings, roster }: Props) {
  const orgId = useOrgId();
  const duty = useQuery({
    ...read(getDuty, { params: { org_id: orgId } }),
    refetchInterval: 60_000,
  });
  if (duty.data === undefined) return <LoadingRows count={1} height={110} />;
  if (!settings.enabled || !settings.entitled) return <Off />;
  if (duty.data.user_id === null)
    return <Nobody settings={settings} roster={roster} until={duty.data.until_unix} />;
  return <OnDuty duty={duty.data} settings={settings} roster={roster} />;
}

function OnDuty({ duty, settings, roster }: Props & { duty: Duty }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const me = useQuery(sessionQuery).data?.user.id;
  const name = duty.name ?? '';
  const until = duty.until_unix;
  return (
    <section className={styles.duty} aria-label={t('onCall.duty.now')}>
      <Disc name={name} colour={colourOf(roster, duty.user_id)} size={52} />
      <div className={styles.words}>
        <p className={styles.label}>{t('onCall.duty.now')}</p>
        <p className={styles.name}>
          <bdi>{name}</bdi>
          {duty.user_id === me ? <span className={styles.you}>{t('onCall.you')}</span> : null}
        </p>
        <p className={styles.until}>
          {until === null
            ? t(duty.source === 'manual' ? 'onCall.duty.manual' : 'onCall.duty.always')
            : `${t('onCall.duty.until', { when: inNamedZone(formats, until, settings.timezone) })} · ${formats.until(until - now)}`}
        </p>
      </div>
      <Next settings={settings} until={until} />
    </section>
  );
}

/** The next person on call, shown only if it is somebody else. */
function Next({ settings, until }: { settings: OnCallSettings; until: number | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const shifts = useQuery(read(listShifts, { params: { org_id: orgId }, query: { weeks: WEEKS } }));
  const next = until === null ? undefined : shifts.data?.find((shift) => shift.from_unix >= until);
  if (next === undefined) return null;
  return (
    <div className={styles.next}>
      <p className={styles.label}>{t('onCall.duty.next')}</p>
      <p className={styles.nextName}>{next.name ?? t('onCall.nobody')}</p>
      <p className={styles.until}>
        {next.until_unix === null
          ? t('onCall.schedule.from', { day: formats.dayInZone(next.from_unix, settings.timezone) })
          : formats.daysInZone(next.from_unix, next.until_unix, settings.timezone)}
      </p>
    </div>
  );
}

function Nobody({ settings, roster, until }: Props & { until: number | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const why = settings.rotation_mode === 'manual' ? 'manual' : roster.members.length === 0 ? 'empty' : 'left';
  return (
    <Plain tone="warning" icon={<IconAlertTriangle size={30} stroke={1.6} aria-hidden="true" />}>
      <p className={styles.name}>{t('onCall.gap.title')}</p>
      <p className={styles.until}>
        {t(`onCall.gap.why.${why}`)}{' '}
        {until === null
          ? null
          : t('onCall.gap.until', { when: inNamedZone(formats, until, settings.timezone) })}
      </p>
      <p className={styles.until}>{t('onCall.gap.effect')}</p>
    </Plain>
  );
}

function Off() {
  const { t } = useTranslation();
  return (
    <Plain tone="off" icon={<IconBellOff size={30} stroke={1.6} aria-hidden="true" />}>
      <p className={styles.name}>{t('onCall.off.title')}</p>
      <p className={styles.until}>{t('onCall.off.text')}</p>
    </Plain>
  );
}

function Plain({ tone, icon, children }: { tone: 'warning' | 'off'; icon: ReactNode; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section className={styles.duty} data-tone={tone} aria-label={t('onCall.duty.now')}>
      {icon}
      <div className={styles.words}>{children}</div>
    </section>
  );
}
