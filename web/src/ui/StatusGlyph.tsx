import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { monitorState, type Shown } from '#src/domain/monitor-state.ts';
import type { MonitorState } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import styles from './StatusGlyph.module.css';

export type DisplayState = MonitorState;

/** The state of a monitor at a moment; now by default. */
export const displayState = (monitor: Shown, nowUnix = Date.now() / 1_000): DisplayState =>
  monitorState(monitor, nowUnix);

/** The state in a word; while failures are not confirmed yet, the progress. */
export function stateWord(
  t: TFunction,
  { confirming }: Pick<Monitor, 'confirming'>,
  state: DisplayState,
): string {
  return state === 'degraded' && confirming !== null
    ? t('status.confirming', confirming)
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
  no_data: (
    <>
      <circle className={styles.ring} cx="7" cy="7" r="5.6" />
      <path className={styles.stroke} d="M5.3 5.6a1.7 1.7 0 1 1 2.6 1.5c-.6.3-.9.6-.9 1.1" />
      <circle cx="7" cy="10" r=".8" />
    </>
  ),
  cannot_check: (
    <>
      <circle className={styles.ring} cx="7" cy="7" r="5.6" />
      <path className={styles.stroke} d="M3.2 10.8 10.8 3.2" />
    </>
  ),
};

/** A status as a shape (not only a colour), so that it reads without colour vision. */
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

/** The glyph and the word of a monitor's state. */
export function StatusWord({
  monitor,
  state = displayState(monitor),
  size = 12,
}: {
  monitor: Monitor;
  /** The current state, unless the page knows more. */
  state?: DisplayState;
  size?: number;
}) {
  const { t } = useTranslation();
  return (
    <span className={styles.word} data-state={state}>
      <StatusGlyph state={state} size={size} />
      <span>{stateWord(t, monitor, state)}</span>
    </span>
  );
}
