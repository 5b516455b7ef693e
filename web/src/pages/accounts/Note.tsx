import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './Note.module.css';

/** Something went well, or is on its way. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <div className={styles.note} role="status">
      <IconCheck size={17} stroke={2} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
