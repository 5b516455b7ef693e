import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import styles from './Banner.module.css';

type Props = { tone: 'warning' | 'notice'; title: string; children: ReactNode; actions?: ReactNode };

/** A notice for everybody, on every page, until its cause ends or it is dismissed. */
export function Banner({ tone, title, children, actions }: Props) {
  const id = useId();
  const Icon = tone === 'warning' ? IconAlertTriangle : IconShieldCheck;
  return (
    <section className={styles.banner} data-tone={tone} aria-labelledby={id}>
      <Icon className={styles.icon} size={20} stroke={1.8} aria-hidden="true" />
      <div className={styles.words} role="status">
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {children}
      </div>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
