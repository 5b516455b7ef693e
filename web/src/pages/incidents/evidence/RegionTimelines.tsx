import { useTranslation } from 'react-i18next';
import type { Evidence } from '#src/incidents/contract.ts';
import { useFormats } from '#web/format.ts';
import { useCheckWords } from '#web/i18n/check-words.ts';
import { type DisplayState, StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import styles from './RegionTimelines.module.css';
import { type Mark, type RegionTimeline, timelinesOf } from './region-timelines.ts';

const STATES: Record<string, DisplayState> = { up: 'passed', degraded: 'degraded', down: 'failed' };
const stateOf = ({ check }: Mark): DisplayState => STATES[check.status] ?? 'pending';
const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** One timeline per region on a common axis, with the deciding moments. */
export function RegionTimelines({ evidence }: { evidence: Evidence }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { timelines, firstAt, confirmedAt, openedAt } = timelinesOf(evidence);
  if (timelines.length === 0) return null;
  const apart = confirmedAt < openedAt;
  const moments = [
    { kind: 'first', at: firstAt, unix: evidence.first_failure_at_unix },
    ...(apart
      ? [{ kind: 'confirmed', at: confirmedAt, unix: evidence.confirmed_outage_since_unix } as const]
      : []),
    { kind: 'opened', at: openedAt, unix: evidence.triggered_at_unix },
  ] as const;
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>{t('story.regionResults')}</figcaption>
      <ul className={styles.timelines}>
        {timelines.map((timeline) => (
          <li key={timeline.region} className={styles.timeline}>
            <span className={styles.region}>{timeline.region || t('story.unnamed')}</span>
            <span className={styles.track} aria-hidden="true">
              {moments.map(({ kind, at }) => (
                <span key={kind} className={styles.moment} data-kind={kind} style={{ left: percent(at) }} />
              ))}
              <Marks timeline={timeline} />
            </span>
            <span className={styles.sum} data-failed={timeline.failed > 0 || undefined}>
              {t('story.checksFailed', { failed: timeline.failed, total: timeline.total })}
            </span>
          </li>
        ))}
      </ul>
      <ul className={styles.legend}>
        {moments.map(({ kind, unix }) => (
          <li key={kind} className={styles.entry}>
            <span className={styles.swatch} data-kind={kind} aria-hidden="true" />
            <span>{t(`story.legend.${kind}`)}</span>
            <time className={styles.clock} dateTime={new Date(unix * 1_000).toISOString()}>
              {formats.clock(unix)}
            </time>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function Marks({ timeline }: { timeline: RegionTimeline }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const detailWords = useCheckWords('detail');
  return timeline.marks.map((mark) => {
    const word = t(`check.status.${mark.check.status as 'up' | 'degraded' | 'down'}`);
    const title = [
      formats.clock(mark.check.checked_at_unix),
      word,
      detailWords(mark.check.detail ?? ''),
    ].filter(Boolean);
    return (
      <span
        key={mark.check.check_id}
        className={styles.mark}
        data-before={mark.before || undefined}
        style={{ left: percent(mark.at) }}
        title={title.join(' · ')}
      >
        <StatusGlyph state={stateOf(mark)} size={13} />
      </span>
    );
  });
}
