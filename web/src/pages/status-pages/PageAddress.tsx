import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { StatusPage } from '#src/status-pages/contract.ts';
import styles from './PageAddress.module.css';
import { isOnline, pageAddress } from './page-access.ts';

type Props = {
  page: StatusPage;
  /** For places with a separate button that opens the page. */
  isOpenedElsewhere?: boolean;
};

/** The public address of a page: to copy, and to open if it is published. */
export function PageAddress({ page, isOpenedElsewhere = false }: Props) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 2_500 });
  const address = pageAddress(page.slug);
  const copy = t(clipboard.copied ? 'ui.copied' : 'statusPages.copyAddress', { name: page.name });
  const open = t('statusPages.openPage', { name: page.name });
  return (
    <span className={styles.address}>
      <span className={`mono ${styles.text}`}>{address.replace(/^https?:\/\//, '')}</span>
      <span className={styles.buttons}>
        <Tooltip label={copy}>
          <ActionIcon size={26} aria-label={copy} onClick={() => clipboard.copy(address)}>
            {clipboard.copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
        {isOnline(page) && !isOpenedElsewhere ? (
          <Tooltip label={open}>
            <ActionIcon
              size={26}
              component="a"
              href={address}
              target="_blank"
              rel="noreferrer"
              aria-label={open}
            >
              <IconExternalLink size={15} />
            </ActionIcon>
          </Tooltip>
        ) : null}
      </span>
      <span className="visually-hidden" aria-live="polite">
        {clipboard.copied ? t('ui.copied') : ''}
      </span>
    </span>
  );
}
