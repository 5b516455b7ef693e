import type { ReactNode } from 'react';
import styles from './Notice.module.css';

type Props = {
  title: string;
  text?: string;
  /** It fills the whole page: its title is the page's heading. */
  isPage?: boolean;
  children?: ReactNode;
};

/** An empty state: says why, and offers the next step. */
export function Empty({ title, text, isPage = false, children }: Props) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className={styles.notice} data-empty>
      <Title className={styles.title}>{title}</Title>
      {text === undefined ? null : <p className={styles.text}>{text}</p>}
      {children}
    </div>
  );
}
