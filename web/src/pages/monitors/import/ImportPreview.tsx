import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import { Tags } from '../all/Tags.tsx';
import { isMonitorType } from '../monitor-types.ts';
import { type CheckedLine, countVerdicts, type Verdict } from './check-lines.ts';
import styles from './ImportPage.module.css';
import { addressOf } from './lines.ts';

type Props = {
  lines: readonly CheckedLine[];
  /** The server has not validated all of them yet. */
  checking: boolean;
  failure: string | null;
  isOver: boolean;
};

const ROW_PX = 40;
/** In the order of the counts. */
const VERDICTS = ['made', 'ready', 'refused', 'problem', 'watched', 'twice'] as const satisfies Verdict[];
const GLYPHS: Record<Verdict, string> = {
  made: 'passed',
  ready: 'pending',
  refused: 'failed',
  problem: 'failed',
  watched: 'paused',
  twice: 'paused',
};

/** The outcome of each line; only the visible rows exist. */
export function ImportPreview({ lines, checking, failure, isOver }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const counts = countVerdicts(lines);
  return (
    <div>
      <p className={styles.counts} role="status">
        {VERDICTS.filter((verdict) => counts.has(verdict)).map((verdict) => (
          <span key={verdict} className={styles.count}>
            <StatusGlyph state={GLYPHS[verdict] as 'passed'} size={11} />
            {t(`importing.counts.${verdict}`, { count: counts.get(verdict) ?? 0 })}
          </span>
        ))}
        {checking ? <span>{t('importing.checking')}</span> : null}
      </p>
      {failure === null ? null : <p role="alert">{failure}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section ref={frame} className={styles.frame} tabIndex={0} aria-label={t('importing.preview')}>
        <ul className={styles.rows} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index];
            return line === undefined ? null : (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                className={styles.row}
                aria-setsize={lines.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Line line={line} isOver={isOver} />
              </li>
            );
          })}
        </ul>
      </section>
    </div>
  );
}

function Line({ line, isOver }: { line: CheckedLine; isOver: boolean }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { no, text, monitor, verdict, problem, sameAs, refusal, monitorId } = line;
  const said =
    problem !== null
      ? t(problem.key as 'importing.noPort', problem.values ?? {})
      : (refusal ??
        (sameAs !== null
          ? t('importing.sameAs', { no: sameAs })
          : verdict === 'watched'
            ? t('propose.existing')
            : null));
  const type = monitor?.type;
  const address = monitor === null ? null : addressOf(monitor.config);
  return (
    <>
      <span className={styles.no}>{no}</span>
      <StatusGlyph state={GLYPHS[verdict] as 'passed'} size={11} />
      <span className="visually-hidden">{t(`importing.verdicts.${verdict}`)}</span>
      <span className={styles.what}>
        {monitorId !== null ? (
          <Link to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId }}>
            {monitor?.name}
          </Link>
        ) : (
          <span className={styles.name}>{monitor?.name ?? text}</span>
        )}
        {monitor === null ? null : (
          <>
            {address === monitor.name ? null : (
              <span className={styles.address} title={address ?? ''}>
                {address}
              </span>
            )}
            <span className={styles.type}>
              {type !== undefined && isMonitorType(type) ? t(`types.${type}.short`) : type}
            </span>
            <Tags tags={monitor.tags ?? []} />
          </>
        )}
      </span>
      <span className={styles.said} data-bad={problem !== null || refusal !== null || undefined}>
        {said ?? (isOver && verdict === 'ready' ? t('importing.left') : null)}
      </span>
    </>
  );
}
