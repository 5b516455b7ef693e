import { IconCheck, IconTrashX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import styles from './IncidentStatus.module.css';

export type IncidentWord = 'open' | 'acknowledged' | 'closed' | 'discarded';

/** The state of an incident as people name it. */
export function wordOf(incident: Pick<IncidentSummary, 'status' | 'lifecycle_state'>): IncidentWord {
  if (incident.lifecycle_state === 'discarded') return 'discarded';
  if (incident.status !== 'open') return 'closed';
  return incident.lifecycle_state === 'acknowledged' ? 'acknowledged' : 'open';
}

/** Open, acknowledged, closed or a false alarm: a word with its own glyph. */
export function IncidentStatus({ word }: { word: IncidentWord }) {
  const { t } = useTranslation();
  return (
    <span className={styles.status} data-word={word}>
      <Shape word={word} />
      {t(`incidents.word.${word}`)}
    </span>
  );
}

function Shape({ word }: { word: IncidentWord }) {
  if (word === 'open') return <StatusGlyph state="failed" />;
  if (word === 'acknowledged') return <StatusGlyph state="degraded" />;
  const Icon = word === 'closed' ? IconCheck : IconTrashX;
  return <Icon size={14} stroke={2.2} aria-hidden="true" />;
}
