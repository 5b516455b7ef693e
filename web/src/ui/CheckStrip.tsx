import { useTranslation } from 'react-i18next';
import styles from './CheckStrip.module.css';

type Check = { status: string; latency_ms: number | null; cause_layer: string | null };
type Props = { checks: readonly Check[]; slots?: number };

const STEP = 5;
const WIDTH = 3.4;
const HEIGHT = 24;

type Kind = 'up' | 'degraded' | 'down' | 'none' | 'empty';

/**
 * A failure at the probe itself says nothing about the target and is no result (docs/rules/confirmation.md#probe-faults).
 */
function kindOf(check: Check): Exclude<Kind, 'empty'> {
  if (check.cause_layer === 'probe') return 'none';
  return check.status === 'down' || check.status === 'degraded' ? check.status : 'up';
}

/** Heights carry the same information as colours: a passing bar is as tall as its latency, a failure fills the strip. */
function height(kind: Kind, latencyMs: number | null, slowest: number): number {
  if (kind === 'empty') return 3;
  if (kind === 'down') return HEIGHT;
  if (kind === 'none') return HEIGHT * 0.35;
  const share = slowest === 0 ? 0 : (latencyMs ?? 0) / slowest;
  return (kind === 'degraded' ? 0.45 : 0.2) * HEIGHT + share * HEIGHT * 0.42;
}

/**
 * The last checks, oldest on the left, one path per status so that a thousand rows render fast. `checks` is newest first.
 */
export function CheckStrip({ checks, slots = 30 }: Props) {
  const { t } = useTranslation();
  const shown = checks.slice(0, slots);
  const slowest = Math.max(0, ...shown.map((check) => check.latency_ms ?? 0));
  const paths: Record<Kind, string> = { up: '', degraded: '', down: '', none: '', empty: '' };
  let down = 0;
  let none = 0;
  for (let slot = 0; slot < slots; slot++) {
    const check = shown[slot];
    const x = (slots - 1 - slot) * STEP;
    const kind = check === undefined ? 'empty' : kindOf(check);
    const tall = height(kind, check?.latency_ms ?? null, slowest);
    if (kind === 'down') down++;
    if (kind === 'none') none++;
    paths[kind] += `M${x} ${HEIGHT}v${-tall.toFixed(1)}h${WIDTH}v${tall.toFixed(1)}z`;
  }
  const said = [
    shown.length === 0 ? t('strip.none') : t('strip.summary', { count: shown.length, down }),
    ...(none === 0 ? [] : [t('strip.noResult', { count: none })]),
  ];
  return (
    <svg
      className={styles.strip}
      viewBox={`0 0 ${slots * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      width={slots * STEP}
      height={HEIGHT}
      role="img"
      aria-label={said.join('; ')}
      preserveAspectRatio="xMaxYMax meet"
    >
      {Object.entries(paths).map(([kind, d]) =>
        d === '' ? null : <path key={kind} d={d} data-kind={kind} />,
      )}
    </svg>
  );
}
