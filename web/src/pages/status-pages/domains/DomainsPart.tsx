import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getOrganizationPlan } from '#src/plans/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import type { CustomDomain } from '#src/status-pages/domains/contract.ts';
import { read } from '#web/read.ts';
import { remember, remembered } from '#web/remembered.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { AddDomain } from './AddDomain.tsx';
import { DomainItem } from './DomainItem.tsx';
import styles from './DomainsPart.module.css';
import { readProvider } from './dns-record.ts';
import { stateWords } from './state-words.ts';
import { usePageDomains } from './use-page-domains.ts';

/** Custom domains of the page: adds them, watches them until their record is found, and removes them. */
export function DomainsPart({ orgId, page }: { orgId: string; page: StatusPage }) {
  const { t } = useTranslation();
  const domains = usePageDomains(page.id);
  const plan = useQuery(read(getOrganizationPlan, { params: { org_id: orgId } }));
  const [provider, setProvider] = useState(() => readProvider(remembered('dns-provider')));
  const [added, setAdded] = useState<string | null>(null);
  const [said, say] = useState('');
  const list = domains.data ?? [];
  useChanges(domains.data, say);
  return (
    <Panel title={t('pageDomains.title')} flush>
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
      {domains.isPending ? (
        <div className={styles.part}>
          <LoadingRows count={3} />
        </div>
      ) : null}
      {domains.isError && domains.data === undefined ? (
        <div className={styles.part}>
          <Failure error={domains.error} retry={domains.refetch} />
        </div>
      ) : null}
      {domains.data === undefined ? null : (
        <div className={styles.part}>
          <p className={styles.lead}>{t(list.length === 0 ? 'pageDomains.none' : 'pageDomains.lead')}</p>
          <AddDomain
            orgId={orgId}
            pageId={page.id}
            used={list.length}
            // Until the plan is known nothing is withheld: the server decides anyway.
            limit={plan.data?.limits.custom_domains_per_page ?? null}
            onAdded={({ id, domain }) => {
              setAdded(id);
              say(t('pageDomains.added', { domain }));
            }}
          />
        </div>
      )}
      {list.length === 0 ? null : (
        <ul className={styles.list} aria-label={t('pageDomains.list')}>
          {list.map((domain) => (
            <DomainItem
              key={domain.id}
              orgId={orgId}
              page={page}
              domain={domain}
              provider={provider}
              isNew={domain.id === added}
              onProvider={(next) => {
                setProvider(next);
                remember('dns-provider', next);
              }}
              onRemoved={() => say(t('pageDomains.removed', { domain: domain.domain }))}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Announces changes of a domain's state to screen readers. */
function useChanges(domains: readonly CustomDomain[] | undefined, say: (words: string) => void): void {
  const { t } = useTranslation();
  const before = useRef<Map<string, string> | null>(null);
  useEffect(() => {
    if (domains === undefined) return;
    const now = new Map(domains.map((each) => [each.id, `${each.domain}: ${stateWords(t, each).title}`]));
    const known = before.current;
    before.current = now;
    const changed = [...now].filter(([id, words]) => known?.has(id) && known.get(id) !== words);
    if (changed.length > 0) say(changed.map(([, words]) => words).join('. '));
  }, [domains, say, t]);
}
