import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Moment } from '#web/ui/Times.tsx';
import styles from './AnnotationList.module.css';
import type { Annotation } from './annotations.ts';
import { useAnnotationWords } from './use-annotation-words.ts';

/** As many as people read; the lists of incidents and windows have all. */
const MAX_LISTED = 50;

type Props = { annotations: readonly Annotation[]; complete: boolean };

/** The chart's annotations as links, newest first. */
export function AnnotationList({ annotations, complete }: Props) {
  const { t } = useTranslation();
  const words = useAnnotationWords();
  const orgId = useOrgId();
  if (annotations.length === 0) return null;
  const newest = [...annotations].sort((a, b) => b.from - a.from).slice(0, MAX_LISTED);
  return (
    <details className={styles.list}>
      <summary>{t('chart.drawnIn', { count: annotations.length })}</summary>
      <ul>
        {newest.map((annotation) => (
          <li key={annotation.key}>
            <i className={styles.glyph} data-kind={annotation.kind} aria-hidden="true" />
            <span className={styles.when}>
              <Moment unix={annotation.from} />
            </span>
            {annotation.id === null ? (
              <span>{words(annotation)}</span>
            ) : annotation.kind === 'maintenance' ? (
              <Link to="/o/$orgId/maintenance/$windowId" params={{ orgId, windowId: annotation.id }}>
                {words(annotation)}
              </Link>
            ) : (
              <Link to="/o/$orgId/incidents/$incidentId" params={{ orgId, incidentId: annotation.id }}>
                {words(annotation)}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {complete && newest.length === annotations.length ? null : (
        <p className={styles.more}>{t('chart.newestOnly', { count: newest.length })}</p>
      )}
    </details>
  );
}
