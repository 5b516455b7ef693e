import { Button, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ACTOR_KINDS, type ActivityEntry } from '#src/activity/contract.ts';
import { UrlDay } from '#web/ui/UrlDay.tsx';
import styles from './ActivityFilters.module.css';
import { ACTIONS, type ActionResource, useActionWords } from './action-words.ts';
import { type ActivitySearch, RANGES, readActivitySearch } from './search.ts';

type Props = {
  search: ActivitySearch;
  /** Resolves the ids of a filter to names. */
  entries: ActivityEntry[];
  onChoose: (search: ActivitySearch) => void;
};

/** Filters by person, action and time, and by the one person or resource that a row links to. */
export function ActivityFilters({ search, entries, onChoose }: Props) {
  const { t } = useTranslation();
  const words = useActionWords();
  const { by, action, range = null, from = '', to = '', actor, resource } = search;
  const change = (changed: Record<string, unknown>) =>
    onChoose(readActivitySearch({ ...search, ...changed }));
  const actions = useMemo(
    () =>
      (Object.keys(ACTIONS) as ActionResource[]).map((noun) => {
        const group = t(`activity.kinds.${noun}`);
        return {
          group,
          items: [
            { value: noun as string, label: t('activity.allOf', { noun: group }) },
            ...ACTIONS[noun].map((verb) => ({ value: `${noun}.${verb}`, label: words(`${noun}.${verb}`) })),
          ],
        };
      }),
    [t, words],
  );
  const actorName = entries.find((entry) => entry.actor.id === actor)?.actor.name ?? actor;
  const resourceName = entries.find((entry) => entry.resource.id === resource)?.resource.name ?? resource;

  return (
    <section className={styles.filters} aria-label={t('activity.filters')}>
      <div className={styles.row}>
        <Select
          className={styles.field}
          label={t('activity.actorLabel')}
          placeholder={t('activity.anyActor')}
          clearable
          value={by ?? null}
          data={ACTOR_KINDS.map((kind) => ({ value: kind, label: t(`activity.actor.${kind}`) }))}
          onChange={(value) => change({ by: value })}
        />
        <Select
          className={styles.field}
          label={t('activity.actionLabel')}
          placeholder={t('activity.anyAction')}
          clearable
          searchable
          maxDropdownHeight={320}
          value={action ?? null}
          data={actions}
          onChange={(value) => change({ action: value })}
        />
        <Select
          className={styles.field}
          label={t('activity.rangeLabel')}
          placeholder={t('activity.range.all')}
          clearable
          value={range}
          data={RANGES.map((each) => ({ value: each, label: t(`activity.range.${each}`) }))}
          onChange={(value) => change({ range: value, from: null, to: null })}
        />
        {range === 'between' ? (
          <>
            <UrlDay
              className={styles.day}
              label={t('activity.from')}
              max={to === '' ? undefined : to}
              day={from}
              onDay={(day) => change({ from: day })}
            />
            <UrlDay
              className={styles.day}
              label={t('activity.to')}
              min={from === '' ? undefined : from}
              day={to}
              onDay={(day) => change({ to: day })}
            />
          </>
        ) : null}
      </div>
      {actor === undefined && resource === undefined ? null : (
        <div className={styles.chips}>
          {actor === undefined ? null : (
            <Chip
              words={t('activity.oneActor', { name: actorName })}
              onRemove={() => change({ actor: null })}
            />
          )}
          {resource === undefined ? null : (
            <Chip
              words={t('activity.oneResource', { name: resourceName })}
              onRemove={() => change({ resource: null })}
            />
          )}
        </div>
      )}
    </section>
  );
}

function Chip({ words, onRemove }: { words: string; onRemove: () => void }) {
  const { t } = useTranslation();
  return (
    <Button
      size="compact-sm"
      variant="light"
      rightSection={<IconX size={13} aria-hidden="true" />}
      title={t('activity.removeFilter')}
      onClick={onRemove}
    >
      {words}
    </Button>
  );
}
