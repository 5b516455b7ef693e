import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './HeaderLinks.module.css';
import type { HeaderLine } from './page-draft.ts';
import type { Editor } from './use-page-draft.ts';

const MAX_LISTED = 20;

/** Links in the page's header: to the website, its documentation, its support. */
export function HeaderLinks({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const { change, problems, tried, write } = editor;
  const lines = editor.draft.settings.headerNav;
  const set = (headerNav: HeaderLine[]) => change({ headerNav });
  const put = (key: number, written: Partial<HeaderLine>) =>
    set(lines.map((line) => (line.key === key ? { ...line, ...written } : line)));
  const next = Math.max(-1, ...lines.map(({ key }) => key)) + 1;
  const needed = (isMissing: boolean | undefined) =>
    tried && isMissing ? t('statusPages.links.needed') : null;
  return (
    <div className={styles.lines}>
      <p className={styles.hint}>{t('statusPages.links.hint')}</p>
      {lines.map(({ key, label, href }, at) => {
        const problem = problems.headerNav.get(key);
        return (
          <div key={key} className={styles.line}>
            <TextInput
              aria-label={t('statusPages.links.label', { at: at + 1 })}
              placeholder={t('statusPages.links.labelPlaceholder')}
              maxLength={200}
              value={label}
              error={needed(problem?.label) ?? write.at(`header_nav.${at}.label`)}
              onChange={(event) => put(key, { label: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t('statusPages.links.href', { at: at + 1 })}
              placeholder="https://"
              inputMode="url"
              spellCheck={false}
              maxLength={2048}
              value={href}
              error={needed(problem?.href) ?? write.at(`header_nav.${at}.href`)}
              onChange={(event) => put(key, { href: event.currentTarget.value })}
            />
            <ActionIcon
              className={styles.remove}
              aria-label={t('statusPages.links.remove', { at: at + 1 })}
              onClick={() => set(lines.filter((line) => line.key !== key))}
            >
              <IconX size={16} />
            </ActionIcon>
          </div>
        );
      })}
      {lines.length < MAX_LISTED ? (
        <Button
          className={styles.add}
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => set([...lines, { key: next, label: '', href: '' }])}
        >
          {t('statusPages.links.add')}
        </Button>
      ) : null}
    </div>
  );
}
