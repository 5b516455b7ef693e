import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { useOrganizationMonitors } from '../monitors/form/use-organization-monitors.ts';
import styles from './MonitorChoice.module.css';

type Props = {
  chosen: readonly string[];
  onChoose: (ids: string[]) => void;
  /** Monitors that are not offered. */
  except?: readonly string[];
  hint: string;
};

/** Monitors by project, with a search; the checkbox of a project selects all of its monitors that are shown. */
export function MonitorChoice({ chosen, onChoose, except = [], hint }: Props) {
  const { t } = useTranslation();
  const label = useId();
  const { projects, isPending } = useOrganizationMonitors();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLocaleLowerCase();
  // Rows above which others load would be pushed away from under the pointer.
  const shown = (isPending ? [] : projects)
    .map(({ projectId, project, monitors }) => ({
      projectId,
      project,
      ids: monitors
        .filter(
          ({ id, name }) => !except.includes(id) && `${project} ${name}`.toLocaleLowerCase().includes(wanted),
        )
        .map(({ id, name }) => ({ id, name })),
    }))
    .filter(({ ids }) => ids.length > 0);
  const picked = new Set(chosen);

  function set(ids: readonly string[], isOn: boolean) {
    const next = new Set(picked);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    onChoose([...next]);
  }

  return (
    <fieldset className={styles.choice} aria-labelledby={label}>
      <div className={styles.head}>
        <span className={styles.label} id={label}>
          {t('maintenance.form.monitors')}
        </span>
        <span className={styles.count} aria-live="polite">
          {t('maintenance.form.chosen', { count: picked.size })}
        </span>
        {picked.size === 0 ? null : (
          <Button variant="subtle" size="compact-xs" onClick={() => onChoose([])}>
            {t('maintenance.form.clear')}
          </Button>
        )}
      </div>
      <TextInput
        aria-label={t('maintenance.form.search')}
        placeholder={t('maintenance.form.search')}
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className={styles.list}>
        {isPending ? <LoadingRows count={3} height={28} /> : null}
        {!isPending && shown.length === 0 ? (
          <p className={styles.none}>{t('maintenance.form.nothingFound')}</p>
        ) : null}
        {shown.map(({ projectId, project, ids }) => {
          const on = ids.filter(({ id }) => picked.has(id)).length;
          return (
            <div key={projectId} className={styles.project}>
              <Checkbox
                label={project}
                classNames={{ label: styles.projectName ?? '' }}
                checked={on === ids.length}
                indeterminate={on > 0 && on < ids.length}
                onChange={(event) =>
                  set(
                    ids.map(({ id }) => id),
                    event.currentTarget.checked,
                  )
                }
              />
              {ids.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  className={styles.monitor ?? ''}
                  label={name}
                  checked={picked.has(id)}
                  onChange={(event) => set([id], event.currentTarget.checked)}
                />
              ))}
            </div>
          );
        })}
      </div>
      {isPending ? null : <p className={styles.hint}>{hint}</p>}
    </fieldset>
  );
}
