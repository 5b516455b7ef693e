import type { ReactNode } from 'react';
import { usePageTitle } from '../page-title.ts';
import styles from './PageHead.module.css';

type Props = { title: string; above?: ReactNode; below?: ReactNode; children?: ReactNode };

/** Longer titles have a line of their own, above the actions. */
const LONG = 60;
/** A longer line below the title has the whole width of a phone. */
const LEAD = 40;

/** The head of a page: title (also the document's), a line above and below it, actions on the right. */
export function PageHead({ title, above, below, children }: Props) {
  usePageTitle(title);
  return (
    <header className={styles.head}>
      <div
        className={styles.words}
        data-long={title.length > LONG || undefined}
        data-lead={(typeof below === 'string' && below.length > LEAD) || undefined}
      >
        {above === undefined ? null : <div className={styles.above}>{above}</div>}
        <h1 className={styles.title}>{title}</h1>
        {below === undefined ? null : <div className={styles.below}>{below}</div>}
      </div>
      {children === undefined ? null : <div className={styles.actions}>{children}</div>}
    </header>
  );
}
