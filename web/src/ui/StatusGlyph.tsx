import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Monitor } from '#src/monitors/contract.ts';
import styles from './StatusGlyph.module.css';

/** What a monitor shows: its confirmed status, or why it has none. */
export type DisplayState = 'passed' | 'degraded' | 'failed' | 'paused' | 'pending';

/** The state of a monitor as people see it: switched off comes before any status. */
export function displayState(monitor: { enabled: boolean; last_status: string | null }): DisplayState {
  if (!monitor.enabled) return 'paused';
  const status = monitor.last_status;
  return status === 'passed' || status === 'degraded' || status === 'failed' ? status : 'pending';
}

/** The word for it; while failing results are no alarm yet, how far they are. */
export function stateWord(
  t: TFunction,
  monitor: Pick<Monitor, 'enabled' | 'last_status' | 'confirming'>,
): string {
  const state = displayState(monitor);
  return state === 'degraded' && monitor.confirming !== null
    ? t('status.confirming', monitor.confirming)
    : t(`status.${state}`);
}

const SHAPES: Record<DisplayState, React.ReactNode> = {
  passed: <circle cx="7" cy="7" r="5" />,
  degraded: <path d="M7 1.4 13.2 12.4H.8Z" strokeLinejoin="round" />,
  failed: (
    <>
      <rect x="1" y="1" width="12" height="12" rx="2.5" />
      <path className={styles.cross} d="M4.4 4.4l5.2 5.2M9.6 4.4 4.4 9.6" />
    </>
  ),
  paused: <path d="M2.5 2h3v10h-3zM8.5 2h3v10h-3z" />,
  pending: <circle className={styles.hollow} cx="7" cy="7" r="4.6" />,
};

/** A status as a shape of its own (not only a colour), so that it reads without colour vision. */
export function StatusGlyph({ state, size = 12 }: { state: DisplayState; size?: number }) {
  return (
    <svg
      className={styles.glyph}
      data-state={state}
      width={size}
      height={size}
      viewBox="0 0 14 14"
      aria-hidden="true"
    >
      {SHAPES[state]}
    </svg>
  );
}

/** Shape and word of a monitor together. */
export function StatusWord({ monitor, size = 12 }: { monitor: Monitor; size?: number }) {
  const { t } = useTranslation();
  const state = displayState(monitor);
  return (
    <span className={styles.word} data-state={state}>
      <StatusGlyph state={state} size={size} />
      <span>{stateWord(t, monitor)}</span>
    </span>
  );
}
