import { Link } from '@tanstack/react-router';
import type { Monitor } from '#src/monitors/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { StatusWord } from '#web/ui/StatusGlyph.tsx';
import styles from './MonitorLink.module.css';

/** Another monitor by its name and how it is. */
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
