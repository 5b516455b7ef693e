import { Link } from '@tanstack/react-router';
import type { Monitor } from '#src/monitors/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { StatusWord } from '#web/ui/StatusGlyph.tsx';
import styles from './MonitorLink.module.css';

/** A link to another monitor, with its state. */
export function MonitorLink({ monitor }: { monitor: Monitor }) {
  const orgId = useOrgId();
  return (
    <span className={styles.line}>
      <Link to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId: monitor.id }}>
        {monitor.name}
      </Link>
      <StatusWord monitor={monitor} />
    </span>
  );
}
