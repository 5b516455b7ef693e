import { IconTool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import { useNow } from '#web/ui/use-now.ts';
import styles from './InMaintenance.module.css';

/** Says that a monitor is in maintenance, and until when if there is room; nothing otherwise. */
export function InMaintenance({ monitor, brief = false }: { monitor: Monitor; brief?: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const until = monitor.in_maintenance_until_unix;
  if (until === null || until <= now) return null;
  const sentence = t('maintenance.monitorUntil', { time: formats.moment(until) });
  return (
    <span className={styles.badge} title={sentence}>
      <IconTool size={13} stroke={1.8} aria-hidden="true" />
      {brief ? t('maintenance.monitorIs') : sentence}
    </span>
  );
}
