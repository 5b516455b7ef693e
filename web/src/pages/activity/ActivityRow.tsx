import { Button } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ACTOR_KINDS, type ActivityEntry } from '#src/activity/contract.ts';
import { isolated } from '#src/domain/direction.ts';
import { useFormats } from '#web/format.ts';
import { useCauseWords } from '../incidents/use-cause-words.ts';
import styles from './ActivityRow.module.css';
import { useActionWords } from './action-words.ts';
import { Diff } from './Diff.tsx';
import { OpenResource } from './OpenResource.tsx';
import type { ActivitySearch } from './search.ts';

type Props = { entry: ActivityEntry; onFilter: (filter: ActivitySearch) => void };

/** Who did what to which resource; expanded, all details of the entry. */
export function ActivityRow({ entry, onFilter }: Props) {
  const formats = useFormats();
  const words = useActionWords();
  const causeWords = useCauseWords();
  const [open, setOpen] = useState(false);
  const id = useId();
  const { resource } = entry;
  return (
    <li className={styles.entry} data-open={open || undefined}>
      <div className={styles.line}>
        <button
          type="button"
          className={styles.head}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight className={styles.arrow} size={15} stroke={1.8} aria-hidden="true" />
          <time
            className={styles.time}
            dateTime={new Date(entry.at_unix * 1_000).toISOString()}
            title={formats.full(entry.at_unix)}
          >
            {formats.clock(entry.at_unix)}
          </time>
          <Actor entry={entry} />
          <span className={styles.what}>
            <span className={styles.action}>{words(entry.action)}</span>
            <span className={styles.resource}>{nameOf(resource, causeWords)}</span>
          </span>
        </button>
        <OpenResource entry={entry} />
      </div>
      {open ? (
        <div className={styles.body} id={id}>
          <Facts entry={entry} />
          <Diff before={entry.before} after={entry.after} />
          <Filters entry={entry} onFilter={onFilter} />
        </div>
      ) : null}
    </li>
  );
}

/** For a resource without a name, such as the on-call settings, the action already says it. */
function nameOf(
  { kind, id, name, monitor_name }: ActivityEntry['resource'],
  causeWords: (cause: string) => string,
): string {
  if (kind === 'on_call' || kind === 'alarm_standard') return '';
  if (name === null || name === '') return id;
  const said = kind === 'incident' ? causeWords(name) : name;
  return monitor_name === null ? said : `${isolated(monitor_name)}: ${isolated(said)}`;
}

function useKind(kind: string): string {
  const { t } = useTranslation();
  const known = ACTOR_KINDS.find((each) => each === kind);
  return known === undefined ? kind : t(`activity.by.${known}`);
}

function Actor({ entry: { actor } }: { entry: ActivityEntry }) {
  const kind = useKind(actor.kind);
  return (
    <span className={styles.actor}>
      <span className={styles.name}>{actor.name ?? kind}</span>
      {actor.name === null || actor.kind === 'user' ? null : <span className={styles.kind}>{kind}</span>}
    </span>
  );
}

function Facts({ entry }: { entry: ActivityEntry }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('activity.time')}</dt>
        <dd>{formats.full(entry.at_unix)}</dd>
      </div>
      <div>
        <dt>{t('activity.address')}</dt>
        <dd className={entry.address === null ? undefined : 'mono'}>
          {entry.address ?? t('activity.noAddress')}
        </dd>
      </div>
      <div>
        <dt>{t('activity.code')}</dt>
        <dd className="mono">{entry.action}</dd>
      </div>
      <div>
        <dt>{t('activity.resource')}</dt>
        <dd className="mono">{entry.resource.id}</dd>
      </div>
    </dl>
  );
}

function Filters({ entry: { actor, resource }, onFilter }: Props) {
  const { t } = useTranslation();
  const kind = useKind(actor.kind);
  const causeWords = useCauseWords();
  const named = resource.kind === 'incident' ? causeWords(resource.name ?? '') : resource.name;
  return (
    <div className={styles.filters}>
      {actor.id === null ? null : (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onFilter({ actor: actor.id ?? undefined })}
        >
          {t('activity.onlyActor', { name: actor.name ?? kind })}
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={() => onFilter({ resource: resource.id })}>
        {t('activity.onlyResource', { name: named ?? resource.id })}
      </Button>
    </div>
  );
}
