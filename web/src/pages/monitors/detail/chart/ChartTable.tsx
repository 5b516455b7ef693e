import { useTranslation } from 'react-i18next';
import type { SeriesUnit } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import table from '#web/ui/Table.module.css';
import type { ChartData } from '../chart-data.ts';
import { type Annotation, annotationsIn } from './annotations.ts';
import styles from './ChartTable.module.css';
import { countsAt } from './lines.ts';
import { useAnnotationWords } from './use-annotation-words.ts';

type Props = {
  data: ChartData;
  unit: SeriesUnit;
  bucketSeconds: number;
  annotations: readonly Annotation[];
  summary: string;
};

/** The chart's data as a table: a row per bucket with data, newest first. */
export function ChartTable({ data, unit, bucketSeconds, annotations, summary }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useAnnotationWords();
  const places = data.xs.keys().filter((at) => data.buckets.some((row) => row[at] !== undefined));
  const rows = [...places].reverse();
  const value = (measured: number | null | undefined) =>
    measured == null ? '–' : formats.measured(measured, unit);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section className={styles.scroll} tabIndex={0} aria-label={summary}>
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">{t('chart.from')}</th>
            {data.regions.map((region) => (
              <th key={region} scope="col" className={table.figure}>
                {region === '' ? t('chart.value') : region}
              </th>
            ))}
            {data.compared === undefined ? null : (
              <th scope="col" className={table.figure}>
                {t('chart.weekBeforeColumn')}
              </th>
            )}
            <th scope="col" className={table.figure}>
              {t('chart.failedColumn')}
            </th>
            {annotations.length === 0 ? null : <th scope="col">{t('chart.eventsColumn')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((at) => {
            const from = data.xs[at] ?? 0;
            const { up, down, degraded } = countsAt(data, at);
            const found = annotationsIn(annotations, { from, to: from + bucketSeconds });
            return (
              <tr key={from}>
                <th scope="row">
                  {formats.day(from)}, {formats.clock(from).slice(0, bucketSeconds < 60 ? 8 : 5)}
                </th>
                {data.regions.map((region, n) => (
                  <td key={region} className={table.figure}>
                    {value(data.buckets[n]?.[at]?.avg)}
                  </td>
                ))}
                {data.compared === undefined ? null : (
                  <td className={`${table.figure} ${table.quiet}`}>{value(data.compared[at])}</td>
                )}
                <td className={table.figure} data-failed={down > 0 || undefined}>
                  {t('chart.of', { some: formats.integer(down), all: formats.integer(up + down + degraded) })}
                </td>
                {annotations.length === 0 ? null : (
                  <td className={styles.events}>{found.map(words).join('; ')}</td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
