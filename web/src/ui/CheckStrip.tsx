import { useTranslation } from 'react-i18next';
import styles from './CheckStrip.module.css';

type Check = { status: string; latency_ms: number | null };
type Props = { checks: readonly Check[]; slots?: number };

const STEP = 5;
const WIDTH = 3.4;
const HEIGHT = 24;

/** Heights tell the story again: passing bars are as tall as their latency, failures fill the whole strip. */
function height(check: Check, slowest: number): number {
  if (check.status === 'down') return HEIGHT;
  const share = slowest === 0 ? 0 : (check.latency_ms ?? 0) / slowest;
  return (check.status === 'degraded' ? 0.45 : 0.2) * HEIGHT + share * HEIGHT * 0.42;
}

/** The last checks, oldest on the left, one path per status so that a thousand rows stay cheap. `checks` is newest first. */
export function CheckStrip({ checks, slots = 30 }: Props) {
  const { t } = useTranslation();
  const shown = checks.slice(0, slots);
  const slowest = Math.max(0, ...shown.map((check) => check.latency_ms ?? 0));
  const paths: Record<string, string> = { up: '', degraded: '', down: '', empty: '' };
  for (let slot = 0; slot < slots; slot++) {
    const check = shown[slot];
    const x = (slots - 1 - slot) * STEP;
    const tall = check === undefined ? 3 : height(check, slowest);
    const kind = check === undefined ? 'empty' : check.status in paths ? check.status : 'up';
    paths[kind] += `M${x} ${HEIGHT}v${-tall.toFixed(1)}h${WIDTH}v${tall.toFixed(1)}z`;
  }
  const down = shown.filter((check) => check.status === 'down').length;
  const label = shown.length === 0 ? t('strip.none') : t('strip.summary', { count: shown.length, down });
  return (
    <svg
      className={styles.strip}
      viewBox={`0 0 ${slots * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      width={slots * STEP}
      height={HEIGHT}
      role="img"
      aria-label={label}
      preserveAspectRatio="xMaxYMax meet"
    >
      {Object.entries(paths).map(([kind, d]) =>
        d === '' ? null : <path key={kind} d={d} data-kind={kind} />,
      )}
    </svg>
  );
}
