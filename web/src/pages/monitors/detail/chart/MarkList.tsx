import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Moment } from '#web/ui/Times.tsx';
import styles from './MarkList.module.css';
import type { Mark } from './marks.ts';
import { useMarkWords } from './use-mark-words.ts';

/** As many as people read; the lists of incidents and windows have all. */
const MAX_LISTED = 50;

type Props = { marks: readonly Mark[]; complete: boolean };

/** The chart's annotations as links, newest first. */
export function MarkList({ marks, complete }: Props) {
  const { t } = useTranslation();
  const words = useMarkWords();
  const orgId = useOrgId();
  if (marks.length === 0) return null;
  const newest = [...marks].sort((a, b) => b.from - a.from).slice(0, MAX_LISTED);
  return (
    <details className={styles.list}>
      <summary>{t('chart.drawnIn', { count: marks.length })}</summary>
      <ul>
        {newest.map((mark) => (
          <li key={mark.key}>
            <i className={styles.glyph} data-kind={mark.kind} aria-hidden="true" />
            <span className={styles.when}>
              <Moment unix={mark.from} />
            </span>
            {mark.id === null ? (
              <span>{words(mark)}</span>
            ) : mark.kind === 'maintenance' ? (
              <Link to="/o/$orgId/maintenance/$windowId" params={{ orgId, windowId: mark.id }}>
                {words(mark)}
              </Link>
            ) : (
              <Link to="/o/$orgId/incidents/$incidentId" params={{ orgId, incidentId: mark.id }}>
                {words(mark)}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {complete && newest.length === marks.length ? null : (
        <p className={styles.more}>{t('chart.newestOnly', { count: newest.length })}</p>
      )}
    </details>
  );
}
