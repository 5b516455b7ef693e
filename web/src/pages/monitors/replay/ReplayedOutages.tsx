import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { overlap } from '#src/domain/replay-comparison.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { PolicyReplay, ReplayedAlarm, ReplayedOutage } from '#src/policy-replay/contract.ts';
import { type Formats, useFormats } from '#web/format.ts';
import { useCauseWords } from '#web/pages/incidents/use-cause-words.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import table from '#web/ui/Table.module.css';
import { Moment } from '#web/ui/Times.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { type Span, within } from '../detail/chart/span.ts';
import styles from './PolicyReplay.module.css';

type Props = { monitor: Monitor; replay: PolicyReplay; isChanged: boolean };

/** Every outage and what its alarm becomes. Each opens its chart in a new tab, since the form is not saved yet. */
export function ReplayedOutages({ monitor, replay, isChanged }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useCauseWords();
  const now = useNow();
  const params = { orgId: useOrgId(), monitorId: monitor.id };
  const { outages, differences, caveats, complete } = replay;
  const all = Object.values(differences).reduce((sum, count) => sum + count, 0);
  return (
    <div className={styles.details}>
      {outages.length === 0 ? <p>{t('replay.nothing')}</p> : null}
      {outages.length === 0 ? null : (
        <div className={styles.scroll}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{t('replay.outage')}</th>
                <th scope="col">{t('replay.what')}</th>
                <th scope="col" className={table.figure}>
                  {t('replay.lasted')}
                </th>
                {isChanged ? <th scope="col">{t('replay.difference')}</th> : null}
              </tr>
            </thead>
            <tbody>
              {outages.map((outage) => {
                const alarm = outage.now ?? outage.draft;
                if (alarm === null) return null;
                const { started_at_unix: started, ended_at_unix: ended, down_regions: regions } = alarm;
                return (
                  <tr key={`${started} ${outage.now === null}`} data-kind={kindOf(outage)}>
                    <td className={table.nowrap}>
                      <Link
                        to="/o/$orgId/monitors/$monitorId"
                        params={params}
                        search={outageSpan(started, ended ?? now, now)}
                        target="_blank"
                        aria-label={t('replay.onChart', { moment: formats.moment(started) })}
                      >
                        <Moment unix={started} />
                      </Link>
                    </td>
                    <td>
                      {outage.incident_id === null ? (
                        outage.cause === null ? (
                          regions.join(', ') || '–'
                        ) : (
                          words(outage.cause)
                        )
                      ) : (
                        <Link
                          to="/o/$orgId/incidents/$incidentId"
                          params={{ orgId: params.orgId, incidentId: outage.incident_id }}
                          target="_blank"
                        >
                          {outage.cause === null ? null : words(outage.cause)}
                        </Link>
                      )}
                    </td>
                    <td className={table.figure}>
                      {ended === null ? t('replay.lasts') : formats.duration(ended - started)}
                    </td>
                    {isChanged ? (
                      <td className={styles.difference}>{differenceWords(t, formats, outage, outages)}</td>
                    ) : null}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {all > outages.length ? (
        <p className={styles.note}>{t('replay.more', { count: all - outages.length })}</p>
      ) : null}
      {complete ? null : <p className={styles.note}>{t('replay.incomplete')}</p>}
      {caveats.map((caveat) => (
        <p key={caveat} className={styles.note}>
          {t(`replay.caveats.${caveat}`)}
        </p>
      ))}
    </div>
  );
}

function kindOf({ now, draft, later_seconds }: ReplayedOutage): string {
  if (now === null) return 'only_draft';
  if (draft === null) return 'only_now';
  return later_seconds === 0 ? 'unchanged' : 'moved';
}

function differenceWords(
  t: TFunction,
  formats: Formats,
  { now, draft, later_seconds }: ReplayedOutage,
  all: readonly ReplayedOutage[],
): string {
  if (draft === null)
    return t(
      isPartOf(
        now,
        all.map(({ draft: other }) => other),
      )
        ? 'replay.partOfOther'
        : 'replay.onlyNow',
    );
  if (now === null)
    return t(
      isPartOf(
        draft,
        all.map(({ now: other }) => other),
      )
        ? 'replay.apart'
        : 'replay.onlyDraft',
    );
  if (later_seconds === null || later_seconds === 0) return t('replay.unchanged');
  const duration = formats.duration(Math.abs(later_seconds));
  return t(later_seconds > 0 ? 'replay.laterBy' : 'replay.earlierBy', { duration });
}

/** Whether an alarm of the other side overlaps this one: one long alarm there can be several on this side. */
function isPartOf(alarm: ReplayedAlarm | null, others: readonly (ReplayedAlarm | null)[]): boolean {
  return alarm !== null && others.some((other) => other !== null && overlap(lasting(alarm), lasting(other)));
}

const lasting = ({ started_at_unix: startedMs, ended_at_unix: endedMs }: ReplayedAlarm) => ({
  startedMs,
  endedMs,
});

/** The chart shows at least this much before and after an outage. */
const MIN_BESIDE_SECONDS = 1800;

/** An outage in the middle of the chart, with its own duration before and after it. */
function outageSpan(started: number, ended: number, now: number): Span {
  const beside = Math.max(MIN_BESIDE_SECONDS, ended - started);
  return within({ from: started - beside, to: ended + beside }, now);
}
