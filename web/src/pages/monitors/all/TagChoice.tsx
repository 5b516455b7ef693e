import { TagsInput } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from './TagChoice.module.css';
import { useAllMonitors } from './use-all-monitors.ts';

type Props = {
  label: string;
  description: string;
  tags: string[];
  /** Monitors that are included anyway. */
  named: readonly string[];
  /** Only monitors of these projects are included; empty: of all. */
  projectIds?: readonly string[];
  error?: ReactNode;
  onChange: (tags: string[]) => void;
};

const NAMED = 6;

/** Includes monitors by tag, with the monitors that have one of the tags now. */
export function TagChoice({ label, description, tags, named, projectIds = [], error, onChange }: Props) {
  const { t } = useTranslation();
  const { data = [] } = useAllMonitors(useOrgId());
  const known = useMemo(
    () => [...new Set(data.flatMap((monitor) => monitor.tags))].sort((a, b) => a.localeCompare(b)),
    [data],
  );
  const wanted = tags.map((tag) => tag.trim().toLowerCase());
  const found = data
    .filter(({ id, tags: own }) => !named.includes(id) && own.some((tag) => wanted.includes(tag)))
    .filter(({ project_id }) => projectIds.length === 0 || projectIds.includes(project_id))
    .sort((a, b) => a.name.localeCompare(b.name));
  const shown = found.slice(0, NAMED).map(({ name }) => name);
  const more = found.length - shown.length;
  return (
    <div>
      <TagsInput
        label={label}
        description={description}
        maxTags={20}
        data={known}
        value={tags}
        error={error}
        onChange={onChange}
      />
      {tags.length === 0 ? null : (
        <p className={styles.now} aria-live="polite">
          {t('tagChoice.now', { count: found.length })}
          {shown.length === 0 ? '' : `: ${shown.map(isolated).join(', ')}`}
          {more > 0 ? ` ${t('allMonitors.andMore', { count: more })}` : ''}
        </p>
      )}
    </div>
  );
}
