import styles from './Sparkline.module.css';

const HEIGHT = 22;

/**
 * Percentages over time, oldest on the left, always from 0 to 100, so that rows can be compared. Missing data is a gap; a
 * single value between two gaps is a dot.
 */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const yOf = (value: number) =>
    ((1 - Math.max(0, Math.min(100, value)) / 100) * (HEIGHT - 2) + 1).toFixed(1);
  const end = Math.max(1, values.length - 1);
  let line = '';
  let area = '';
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const begins = (values[at - 1] ?? null) === null;
    const ends = (values[at + 1] ?? null) === null;
    line += `${begins ? 'M' : 'L'}${at} ${yOf(value)}${begins && ends ? 'h.01' : ''}`;
    area += `${begins ? `M${at} ${HEIGHT}` : ''}L${at} ${yOf(value)}${ends ? `V${HEIGHT}Z` : ''}`;
  }
  return (
    <svg
      className={styles.curve}
      viewBox={`0 0 ${end} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.area} d={area} />
      <path className={styles.floor} d={`M0 ${HEIGHT - 0.5}H${end}`} />
      <path className={styles.line} d={line} />
    </svg>
  );
}
