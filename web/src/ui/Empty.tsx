import type { ReactNode } from 'react';
import styles from './Notice.module.css';

/** Nothing here yet: says why, and makes the next step obvious. */
export function Empty({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className={styles.notice}>
      <p className={styles.title}>{title}</p>
      {text === undefined ? null : <p className={styles.text}>{text}</p>}
      {children}
    </div>
  );
}
