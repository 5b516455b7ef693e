import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listShifts, type OnCallSettings, type Roster, type Shift } from '#src/on-call/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { sessionQuery } from '#web/session.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { colourOf } from './people.tsx';
import styles from './SchedulePanel.module.css';
import { TakeShift } from './TakeShift.tsx';
import { zoneName } from './zones.ts';

/** How far ahead the schedule goes. */
export const WEEKS = 8;

type Props = { settings: OnCallSettings; roster: Roster };

/** The coming weeks in the organization's time zone. */
export function SchedulePanel({ settings, roster }: Props) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const shifts = useQuery({
    ...read(listShifts, { params: { org_id: orgId }, query: { weeks: WEEKS } }),
    refetchInterval: 300_000,
  });
  const list = shifts.data ?? [];
  const hasGap = list.some((shift) => shift.user_id === null);
  return (
    <Panel
      title={t('onCall.schedule.title')}
      aside={
        <span className={styles.zone}>
          {t('onCall.schedule.zone', { zone: zoneName(settings.timezone) })}
        </span>
      }
    >
      {shifts.isPending ? <LoadingRows count={4} height={30} /> : null}
      {shifts.isLoadingError ? <Failure error={shifts.error} retry={shifts.refetch} /> : null}
      {list.length === 0 ? null : <Shifts shifts={list} settings={settings} roster={roster} />}
      {hasGap && settings.enabled && settings.entitled ? (
        <p className={styles.gapText}>{t('onCall.gap.effect')}</p>
      ) : null}
    </Panel>
  );
}

function Shifts({ shifts, settings, roster }: Props & { shifts: Shift[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const me = useQuery(sessionQuery).data?.user.id;
  const isOn = settings.enabled && settings.entitled;
  return (
    <ol className={styles.list}>
      {shifts.map((shift) => {
        const { from_unix, until_unix, user_id, name } = shift;
        const isNow = from_unix <= now && (until_unix === null || now < until_unix);
        const days =
          until_unix === null
            ? t('onCall.schedule.from', { day: formats.dayInZone(from_unix, settings.timezone) })
            : formats.daysInZone(from_unix, until_unix, settings.timezone);
        return (
          <li
            key={from_unix}
            className={styles.shift}
            data-gap={user_id === null || undefined}
            data-now={isNow || undefined}
            style={{ '--person': colourOf(roster, user_id) } as React.CSSProperties}
          >
            <span className={styles.days}>{days}</span>
            <span className={styles.who}>
              {name ?? t('onCall.nobody')}
              {user_id !== null && user_id === me ? (
                <span className={styles.you}> ({t('onCall.you')})</span>
              ) : null}
              {shift.source === 'override' ? (
                <span className={styles.you}> · {t('onCall.schedule.override')}</span>
              ) : null}
            </span>
            <span className={styles.end}>
              {isNow ? <span className={styles.now}>{t('onCall.schedule.now')}</span> : null}
              {isOn && me !== undefined && user_id !== me && until_unix !== null ? (
                <TakeShift shift={shift} until={until_unix} me={me} day={days} />
              ) : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
