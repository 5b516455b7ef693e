import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './Hint.module.css';

type Props = { tone: 'warning' | 'info'; title: string; children?: ReactNode };

/** A problem on this page, with its consequence. */
export function Hint({ tone, title, children }: Props) {
  const Icon = tone === 'warning' ? IconAlertTriangle : IconInfoCircle;
  return (
    <div className={styles.hint} data-tone={tone}>
      <Icon size={19} stroke={1.7} aria-hidden="true" />
      <div>
        <p className={styles.title}>{title}</p>
        {children === undefined ? null : <p className={styles.text}>{children}</p>}
      </div>
    </div>
  );
}
