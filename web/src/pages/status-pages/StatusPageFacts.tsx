import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { StatusPageDetail } from '#src/status-pages/contract.ts';
import { zoneName } from '#web/pages/on-call/zones.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { ReadOnly } from '#web/ui/ReadOnly.tsx';
import { AccessBadge } from './AccessBadge.tsx';
import { groupOf, listOf } from './editor/monitor-list.ts';
import { PageAddress } from './PageAddress.tsx';
import { accessOf } from './page-access.ts';
import styles from './StatusPageFacts.module.css';

/** The settings of a status page, for readers who cannot edit it. */
export function StatusPageFacts({ orgId, detail }: { orgId: string; detail: StatusPageDetail }) {
  const { t } = useTranslation();
  const { page } = detail;
  const groups = [...Map.groupBy(listOf(detail.monitors), groupOf)];
  return (
    <>
      <PageHead
        title={page.name}
        above={
          <BackLink to="/o/$orgId/status-pages" params={{ orgId }}>
            {t('statusPages.title')}
          </BackLink>
        }
        below={<PageAddress page={page} />}
      >
        <ReadOnly />
      </PageHead>
      <dl className={styles.facts}>
        <div>
          <dt>{t('statusPages.parts.access')}</dt>
          <dd>
            <AccessBadge access={accessOf(page)} />
          </dd>
        </div>
        {page.headline === null ? null : (
          <div>
            <dt>{t('statusPages.general.headline')}</dt>
            <dd>{page.headline}</dd>
          </div>
        )}
        <div>
          <dt>{t('statusPages.general.zone')}</dt>
          <dd>{zoneName(page.timezone)}</dd>
        </div>
        <div>
          <dt>{t('incidents.title')}</dt>
          <dd>
            {t(page.auto_link_incidents ? 'statusPages.facts.autoLinked' : 'statusPages.facts.linkedByHand')}
          </dd>
        </div>
      </dl>
      <Panel title={t('statusPages.parts.monitors')} flush>
        {groups.length === 0 ? <p className={styles.none}>{t('statusPages.monitors.none')}</p> : null}
        {groups.map(([group, monitors]) => (
          <section key={group} aria-label={group}>
            <h3 className={styles.group}>{group}</h3>
            <ul>
              {monitors.map(({ id, displayName, name }) => (
                <li key={id} className={styles.monitor}>
                  <Link to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId: id }}>
                    {displayName || name}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </Panel>
    </>
  );
}
