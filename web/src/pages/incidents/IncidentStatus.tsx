import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StatusGlyph } from '../../ui/StatusGlyph.tsx';
import styles from './IncidentStatus.module.css';

type Props = { open: boolean; acknowledged?: boolean };

/** Open, acknowledged or closed: a word with a shape of its own. */
export function IncidentStatus({ open, acknowledged = false }: Props) {
  const { t } = useTranslation();
  const word = !open ? 'closed' : acknowledged ? 'acknowledged' : 'open';
  return (
    <span className={styles.status} data-word={word}>
      {open ? (
        <StatusGlyph state={acknowledged ? 'degraded' : 'failed'} />
      ) : (
        <IconCheck size={14} stroke={2.2} aria-hidden="true" />
      )}
      {t(`incidents.word.${word}`)}
    </span>
  );
}
