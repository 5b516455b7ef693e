import { type ReactNode, useId } from 'react';
import styles from './Section.module.css';
import type { SectionName } from './sections.ts';

type Props = {
  name: SectionName;
  title: string;
  lead: string;
  /** The state in a word, beside the title. */
  state?: ReactNode;
  flush?: boolean;
  children: ReactNode;
};

/** A section of the account page: a description beside its controls. */
export function Section({ name, title, lead, state, flush = false, children }: Props) {
  const heading = useId();
  return (
    <section className={styles.section} id={name} data-lead={name} aria-labelledby={heading}>
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

/** On or off, as a word with a glyph. */
export function State({ on, children }: { on: boolean; children: ReactNode }) {
  return (
    <span className={styles.state} data-on={on || undefined}>
      {children}
    </span>
  );
}
