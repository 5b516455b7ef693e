import { type ReactNode, useId } from 'react';
import styles from './Section.module.css';
import type { SectionName } from './sections.ts';

type Props = {
  name: SectionName;
  title: string;
  lead: string;
  /** Beside the title: the state in a word. */
  state?: ReactNode;
  flush?: boolean;
  children: ReactNode;
};

/** A part of the account page: what it is about beside what can be done. */
export function Section({ name, title, lead, state, flush = false, children }: Props) {
  const heading = useId();
  return (
    <section className={styles.section} id={name} aria-labelledby={heading}>
      <div className={styles.words}>
        <div className={styles.head}>
          <h2 className={styles.title} id={heading}>
            {title}
          </h2>
          {state}
        </div>
        <p className={styles.lead}>{lead}</p>
      </div>
      <div className={styles.card} data-flush={flush || undefined}>
        {children}
      </div>
    </section>
  );
}

/** On or off, as a word with a mark of its own. */
export function State({ on, children }: { on: boolean; children: ReactNode }) {
  return (
    <span className={styles.state} data-on={on || undefined}>
      {children}
    </span>
  );
}
