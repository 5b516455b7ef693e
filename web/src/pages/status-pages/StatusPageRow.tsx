import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ListedStatusPage } from '#src/status-pages/contract.ts';
import { AccessBadge } from './AccessBadge.tsx';
import { PageAddress } from './PageAddress.tsx';
import { accessOf } from './page-access.ts';
import styles from './StatusPageRow.module.css';

/** One page in the list; the whole row links to it. */
export function StatusPageRow({ orgId, page }: { orgId: string; page: ListedStatusPage }) {
  const { t } = useTranslation();
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <Link className={styles.name} to="/o/$orgId/status-pages/$pageId" params={{ orgId, pageId: page.id }}>
          {page.name}
        </Link>
        <PageAddress page={page} />
      </span>
      <span className={styles.monitors}>{t('statusPages.monitorCount', { count: page.monitor_count })}</span>
      <span className={styles.access}>
        <AccessBadge access={accessOf(page)} />
      </span>
    </li>
  );
}
