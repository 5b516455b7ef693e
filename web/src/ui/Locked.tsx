import { IconLock } from '@tabler/icons-react';
import styles from './Locked.module.css';

/** Replaces actions that the reader's role does not allow, and says who may perform them. */
export function Locked({ text, tall = false }: { text: string; tall?: boolean }) {
  return (
    <p className={styles.reason} data-tall={tall || undefined}>
      <IconLock size={15} stroke={1.7} aria-hidden="true" />
      {text}
    </p>
  );
}
