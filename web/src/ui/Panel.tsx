import { type ReactNode, useId } from 'react';
import styles from './Panel.module.css';

type Props = {
  title: string;
  aside?: ReactNode;
  flush?: boolean;
  /** A name by which the palette leads to its first control (palette/lead.ts). */
  lead?: string;
  children: ReactNode;
};

/** A titled part of a page; `flush` lets tables reach its edges. */
export function Panel({ title, aside, flush = false, lead, children }: Props) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id} data-lead={lead}>
      <div className={styles.head}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {aside}
      </div>
      <div className={flush ? styles.flush : styles.content}>{children}</div>
    </section>
  );
}
