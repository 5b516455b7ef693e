import { useTranslation } from 'react-i18next';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import glyph from '#web/ui/StatusGlyph.module.css';
import { type DisplayState, StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import { useNow } from '#web/ui/use-now.ts';
import styles from './RegionWords.module.css';
import { regionState } from './region-state.ts';

/** A glyph with its word. */
export function LabelledGlyph({ state, word }: { state: DisplayState; word: string }) {
  return (
    <span className={glyph.word} data-state={state}>
      <StatusGlyph state={state} />
      <span>{word}</span>
    </span>
  );
}

/** Whether a region is checking now. */
export function RegionStateWord({ region }: { region: AdministeredRegion }) {
  const { t } = useTranslation();
  const { state, word } = regionState(region, useNow());
  return <LabelledGlyph state={state} word={t(`operatorRegions.state.${word}`)} />;
}

/** Special properties of a region: internal, private targets. */
export function RegionBadges({ region }: { region: AdministeredRegion }) {
  const { t } = useTranslation();
  const marks = [
    region.internal ? t('operatorRegions.internal') : null,
    region.allow_private_targets ? t('operatorRegions.privateTargets') : null,
  ].filter((mark) => mark !== null);
  if (marks.length === 0) return null;
  return (
    <span className={styles.marks}>
      {marks.map((mark) => (
        <span key={mark} className={styles.mark}>
          {mark}
        </span>
      ))}
    </span>
  );
}
