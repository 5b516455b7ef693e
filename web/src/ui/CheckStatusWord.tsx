import { useTranslation } from 'react-i18next';
import styles from './StatusGlyph.module.css';
import { type DisplayState, StatusGlyph } from './StatusGlyph.tsx';

const WORDS = {
  up: 'passed',
  degraded: 'degraded',
  down: 'failed',
  none: 'pending',
} as const satisfies Record<string, DisplayState>;

/**
 * The status of a single check, which is not yet a verdict: its own words, the same glyphs. A check that failed at the
 * probe itself says nothing about the target and is not counted (docs/rules/confirmation.md#probe-faults).
 */
export function CheckStatusWord({
  status,
  causeLayer,
}: {
  status: string;
  causeLayer?: string | null | undefined;
}) {
  const { t } = useTranslation();
  const word = causeLayer === 'probe' || !(status in WORDS) ? 'none' : (status as keyof typeof WORDS);
  return (
    <span className={styles.quiet}>
      <StatusGlyph state={WORDS[word]} />
      <span>{t(`check.status.${word}`)}</span>
    </span>
  );
}
