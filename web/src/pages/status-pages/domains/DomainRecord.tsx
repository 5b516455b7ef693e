import { ActionIcon, Select, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CustomDomain } from '#src/status-pages/domains/contract.ts';
import styles from './DomainRecord.module.css';
import { DNS_PROVIDERS, type DnsProvider, readProvider, recordAt } from './dns-record.ts';

type Props = { domain: CustomDomain; provider: DnsProvider; onProvider: (provider: DnsProvider) => void };

/** The DNS record to set, with buttons to copy, and notes on the forms of providers. */
export function DomainRecord({ domain, provider, onProvider }: Props) {
  const { t } = useTranslation();
  const record = recordAt(provider, domain);
  return (
    <div className={styles.record}>
      <Select
        className={styles.provider}
        label={t('pageDomains.record.provider')}
        allowDeselect={false}
        data={DNS_PROVIDERS.map((each) => ({
          value: each,
          label: t(`pageDomains.record.providers.${each}`),
        }))}
        value={provider}
        onChange={(value) => onProvider(readProvider(value))}
      />
      <dl className={styles.parts}>
        <Part word={t('pageDomains.record.type')} value="CNAME" isPlain />
        <Part word={t('pageDomains.record.name')} value={record.name} />
        <Part word={t('pageDomains.record.fullName')} value={record.fullName} />
        <Part word={t('pageDomains.record.value')} value={record.value} />
      </dl>
      <p className={styles.hint}>{t(`pageDomains.record.hints.${provider}`)}</p>
    </div>
  );
}

function Part({ word, value, isPlain = false }: { word: string; value: string; isPlain?: boolean }) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 2_500 });
  const label = clipboard.copied ? t('ui.copied') : t('pageDomains.record.copy', { what: word });
  return (
    <div className={styles.part}>
      <dt>{word}</dt>
      <dd>
        <span className={`mono ${styles.value}`}>{value}</span>
        {isPlain ? null : (
          <>
            <Tooltip label={label}>
              <ActionIcon size={28} aria-label={label} onClick={() => clipboard.copy(value)}>
                {clipboard.copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
              </ActionIcon>
            </Tooltip>
            <span className="visually-hidden" aria-live="polite">
              {clipboard.copied ? t('ui.copied') : ''}
            </span>
          </>
        )}
      </dd>
    </div>
  );
}
