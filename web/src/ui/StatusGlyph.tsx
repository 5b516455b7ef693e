import { useTranslation } from 'react-i18next';
import styles from './StatusGlyph.module.css';

/** What a monitor shows: its confirmed status, or why it has none. */
export type DisplayState = 'passed' | 'degraded' | 'failed' | 'paused' | 'pending';

/** The state of a monitor as people see it: switched off comes before any status. */
export function displayState(monitor: { enabled: boolean; last_status: string | null }): DisplayState {
  if (!monitor.enabled) return 'paused';
  const status = monitor.last_status;
  return status === 'passed' || status === 'degraded' || status === 'failed' ? status : 'pending';
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

/** Shape and word together. */
export function StatusWord({ state, size = 12 }: { state: DisplayState; size?: number }) {
  const { t } = useTranslation();
  return (
    <span className={styles.word} data-state={state}>
      <StatusGlyph state={state} size={size} />
      <span>{t(`status.${state}`)}</span>
    </span>
  );
}
