import { UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Keys } from './Keys.tsx';
import { isMac, show } from './overlay.ts';
import styles from './PaletteButton.module.css';

/** Opens the palette: labelled on wide screens, an icon on narrow ones. */
export function PaletteButton() {
  const { t } = useTranslation();
  return (
    <UnstyledButton
      className={styles.button}
      aria-haspopup="dialog"
      aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
      onClick={() => show('palette')}
    >
      <IconSearch size={17} stroke={1.7} aria-hidden="true" />
      <span className={styles.words}>{t('palette.open')}</span>
      <span className={styles.keys} aria-hidden="true">
        <Keys keys={isMac() ? ['⌘', 'K'] : ['Ctrl', 'K']} />
      </span>
    </UnstyledButton>
  );
}
