import { useTranslation } from 'react-i18next';
import styles from './StatusGlyph.module.css';
import { type DisplayState, StatusGlyph } from './StatusGlyph.tsx';

const SHAPES: Record<string, DisplayState> = { up: 'passed', degraded: 'degraded', down: 'failed' };

/** The status of one raw check, which is not yet a verdict: its own words, the same shapes. */
export function CheckStatusWord({ status }: { status: string }) {
  const { t, i18n } = useTranslation();
  const state = SHAPES[status] ?? 'pending';
  const key = `check.status.${status}`;
  return (
    <span className={styles.quiet}>
      <StatusGlyph state={state} />
      <span>{i18n.exists(key) ? t(key as 'check.status.up') : status}</span>
    </span>
  );
}
