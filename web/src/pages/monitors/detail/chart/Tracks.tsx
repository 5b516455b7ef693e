import { useTranslation } from 'react-i18next';
import type { ChartData } from '../chart-data.ts';
import { type Annotation, placeOf } from './annotations.ts';
import type { Span } from './span.ts';
import styles from './Tracks.module.css';
import { useAnnotationWords } from './use-annotation-words.ts';

type Props = {
  data: ChartData;
  bucketSeconds: number;
  shown: Span;
  annotations: readonly Annotation[];
  onOpen: (annotation: Annotation) => void;
};

/** Height of both tracks in pixels. */
export const TRACKS_HEIGHT = 46;

const PERCENT = 100;
/** The smallest share that is still visible. */
const MIN_PCT = 12;

/**
 * Two tracks below the plot: the share of failed checks as bars, and annotations. Only for eye and mouse: the slider
 * announces the same, and the list below has the links.
 */
export function Tracks({ data, bucketSeconds, shown, annotations, onOpen }: Props) {
  const { t } = useTranslation();
  const words = useAnnotationWords();
  return (
    <div className={styles.tracks} aria-hidden="true">
      <span className={styles.name}>{t('chart.failed')}</span>
      <div className={styles.failures}>
        {data.failed.map((share, at) => {
          const from = data.xs[at] ?? 0;
          const place = share === 0 ? null : placeOf({ from, to: from + bucketSeconds }, shown);
          if (place === null) return null;
          return (
            <i
              key={from}
              style={{
                left: `${place.left}%`,
                width: `max(2px, calc(${place.width}% - 1px))`,
                height: `${Math.max(MIN_PCT, share * PERCENT)}%`,
              }}
            />
          );
        })}
      </div>
      <span className={styles.name}>{t('chart.events')}</span>
      <div className={styles.annotations}>
        {annotations.map((annotation) => {
          const place = placeOf(annotation, shown);
          if (place === null) return null;
          const at = {
            left: `${place.left}%`,
            width: annotation.kind === 'change' ? undefined : `${place.width}%`,
          };
          return (
            <button
              key={annotation.key}
              type="button"
              tabIndex={-1}
              title={words(annotation)}
              data-kind={annotation.kind}
              disabled={annotation.id === null}
              style={at}
              onClick={() => onOpen(annotation)}
            />
          );
        })}
      </div>
    </div>
  );
}
