import { ActionIcon, Button } from '@mantine/core';
import { IconBookmark, IconPencil, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MonitorView } from '#src/monitors/views/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import { type AllSearch, isSameSearch } from '../search.ts';
import styles from './SavedViews.module.css';
import { ViewDialog } from './ViewDialog.tsx';

type Props = { search: AllSearch; views: readonly MonitorView[] };

/** The saved views above the list, and a button that saves the current one; nothing if there is nothing to save. */
export function SavedViews({ search, views }: Props) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mayAct = useMayAct();
  const [edited, setEdited] = useState<MonitorView | 'new' | null>(null);
  const shown = views.find((view) => isSameSearch(view.search, search));
  const isPlain = Object.keys(search).length === 0;
  if (views.length === 0 && isPlain) return null;
  return (
    <div className={styles.views}>
      {views.length === 0 ? null : (
        <nav aria-label={t('views.title')}>
          <ul className={styles.list}>
            {views.map((view) => (
              <li key={view.id} className={styles.view} data-shown={view === shown || undefined}>
                <Link
                  className={styles.link}
                  to="/o/$orgId/monitors/all"
                  params={{ orgId }}
                  search={view.search}
                  aria-current={view === shown ? 'page' : undefined}
                >
                  {view.name}
                  {view.shared ? (
                    <IconUsers size={14} role="img" aria-label={t('views.ofAll')} className={styles.shared} />
                  ) : null}
                </Link>
                {mayAct && view === shown ? (
                  <ActionIcon
                    variant="subtle"
                    size={24}
                    aria-label={t('views.edit', { name: view.name })}
                    onClick={() => setEdited(view)}
                  >
                    <IconPencil size={15} />
                  </ActionIcon>
                ) : null}
              </li>
            ))}
          </ul>
        </nav>
      )}
      {isPlain || shown !== undefined || !mayAct ? null : (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconBookmark size={15} aria-hidden="true" />}
          onClick={() => setEdited('new')}
        >
          {t('views.save')}
        </Button>
      )}
      {edited === null ? null : (
        <ViewDialog
          view={edited === 'new' ? null : (views.find(({ id }) => id === edited.id) ?? edited)}
          search={search}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  );
}
