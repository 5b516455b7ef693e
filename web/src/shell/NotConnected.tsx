import { IconPlugConnectedX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLostSince } from '../connection.ts';
import { useFormats } from '../format.ts';
import styles from './NotConnected.module.css';
import { useTopBarHeight } from './top-bar-height.ts';

/** A notice across every page that its data is old, while the server is down. */
export function NotConnected() {
  const since = useLostSince();
  return since === null ? null : <NotConnectedBar since={since} />;
}

/** Says that the data on screen is as old as `since`. */
export function NotConnectedBar({ since }: { since: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const bar = useRef<HTMLElement>(null);
  useTopBarHeight(bar, '--connection-bar');
  return (
    <section className={styles.bar} ref={bar} aria-label={t('notConnected.title')}>
      <IconPlugConnectedX size={20} stroke={1.8} aria-hidden="true" />
      <p role="alert">
        <strong>{t('notConnected.since', { moment: formats.minute(since) })}</strong> {t('notConnected.old')}
      </p>
    </section>
  );
}
