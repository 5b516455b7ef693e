import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './Note.module.css';

/** Says that something succeeded or is in progress. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <div className={styles.note} role="status">
      <IconCheck size={17} stroke={2} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
