import { IconServerOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Monitor } from '#src/monitors/contract.ts';
import styles from './NoData.module.css';

/** The server's reason (src/agents/remove.ts), with the name of the host. */
const HOST_REMOVED = /^Its agent (.+) was removed\.$/;

/** A notice that the system disabled the monitor, because its host was removed; nothing otherwise. */
export function DisabledNotice({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const { disabled_reason: reason } = monitor;
  if (monitor.enabled || reason === null) return null;
  const [, name] = HOST_REMOVED.exec(reason) ?? [];
  return (
    <section className={styles.notice} aria-labelledby="disabled">
      <IconServerOff size={20} stroke={1.7} aria-hidden="true" />
      <div>
        <h2 id="disabled" className={styles.title}>
          {name === undefined ? t('hosts.disabled') : t('hosts.goneOf', { name })}
        </h2>
        <p>{name === undefined ? reason : t('hosts.goneText')}</p>
      </div>
    </section>
  );
}
