import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconExternalLink, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { type CustomDomain, removeDomain } from '#src/status-pages/domains/contract.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { send } from '#web/write.ts';
import { accessOf, isOnline } from '../page-access.ts';
import styles from './DomainItem.module.css';
import { DomainRecord } from './DomainRecord.tsx';
import { DomainSteps } from './DomainSteps.tsx';
import { type DnsProvider, isApex } from './dns-record.ts';
import { domainStateOf, isServed } from './domain-state.ts';
import { inUnicode } from './in-unicode.ts';
import { stateWords } from './state-words.ts';
import { VerifyNow } from './VerifyNow.tsx';

type Props = {
  orgId: string;
  page: StatusPage;
  domain: CustomDomain;
  provider: DnsProvider;
  /** Just added: scrolls to its name and focuses it. */
  isNew: boolean;
  onProvider: (provider: DnsProvider) => void;
  onRemoved: () => void;
};

/** Whether the record is collapsed, because nothing is wrong with it. */
const AT_REST = ['syncing', 'certifying', 'uncertified', 'own_proxy', 'online'];
/** Whether checking the record again may change anything. */
const VERIFIABLE = ['waiting', 'pending', 'failed', 'lost', 'dangling'];

/** One custom domain: its state, the next step, its record, and its actions. */
export function DomainItem({ orgId, page, domain, provider, isNew, onProvider, onRemoved }: Props) {
  const { t } = useTranslation();
  const nameId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [asking, setAsking] = useState(false);
  const { kind } = domainStateOf(domain);
  const name = domain.domain;
  const readable = inUnicode(name);
  const params = { id: page.id, domain_id: domain.id };
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  return (
    <li className={styles.item} aria-labelledby={nameId}>
      <div className={styles.head}>
        <h3 className={styles.name} id={nameId} ref={heading} tabIndex={-1}>
          <span className="mono">{name}</span>
          {readable === name ? null : <span className={styles.readable}>{readable}</span>}
        </h3>
        <span className={styles.buttons}>
          {isServed(domain) && isOnline(page) ? (
            <Tooltip label={t('pageDomains.open', { domain: name })}>
              <ActionIcon
                component="a"
                href={`https://${name}/`}
                target="_blank"
                rel="noreferrer"
                aria-label={t('pageDomains.open', { domain: name })}
              >
                <IconExternalLink size={17} />
              </ActionIcon>
            </Tooltip>
          ) : null}
          <Tooltip label={t('pageDomains.remove', { domain: name })}>
            <ActionIcon
              aria-label={t('pageDomains.remove', { domain: name })}
              onClick={() => setAsking(true)}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </Tooltip>
        </span>
      </div>
      <DomainSteps domain={domain} />
      <Stand domain={domain} />
      {isApex(name) && VERIFIABLE.includes(kind) ? (
        <p className={styles.apex}>{t('pageDomains.apex', { domain: name })}</p>
      ) : null}
      {domain.status === 'verified' && !isOnline(page) ? (
        <p className={styles.hidden}>
          {t(accessOf(page) === 'draft' ? 'pageDomains.hidden.draft' : 'pageDomains.hidden.off')}{' '}
          <Link
            to="/o/$orgId/status-pages/$pageId"
            params={{ orgId, pageId: page.id }}
            search={{ part: 'access' }}
            replace
          >
            {t('pageDomains.hidden.link')}
          </Link>
        </p>
      ) : null}
      {VERIFIABLE.includes(kind) ? <VerifyNow pageId={page.id} domain={domain} /> : null}
      <Record
        key={String(AT_REST.includes(kind))}
        isCollapsed={AT_REST.includes(kind)}
        domain={domain}
        provider={provider}
        onProvider={onProvider}
      />
      <Confirm
        opened={asking}
        title={t('pageDomains.remove', { domain: name })}
        text={t('pageDomains.removeText', { domain: name })}
        confirm={t('pageDomains.removeConfirm')}
        onConfirm={() => send(removeDomain, { params }, onRemoved)}
        onClose={() => setAsking(false)}
      />
    </li>
  );
}

function Stand({ domain }: { domain: CustomDomain }) {
  const { t } = useTranslation();
  const { tone, title, texts } = stateWords(t, domain);
  return (
    <div className={styles.stand} data-tone={tone}>
      <p className={styles.title}>{title}</p>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

type RecordProps = {
  isCollapsed: boolean;
  domain: CustomDomain;
  provider: DnsProvider;
  onProvider: (provider: DnsProvider) => void;
};

function Record({ isCollapsed, ...record }: RecordProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(!isCollapsed);
  return (
    <>
      {isCollapsed ? (
        <Button
          className={styles.toggle}
          variant="subtle"
          size="compact-sm"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'pageDomains.record.hide' : 'pageDomains.record.show')}
        </Button>
      ) : null}
      {isOpen ? <DomainRecord {...record} /> : null}
    </>
  );
}
