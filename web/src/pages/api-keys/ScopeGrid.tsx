import { Button, SegmentedControl } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SCOPE_RESOURCES } from '#src/api-keys/contract.ts';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './ScopeGrid.module.css';
import { everyLevel, LEVELS, type Level, type Levels, type ScopeResource } from './scopes.ts';

type Props = { value: Levels; onChange: (levels: Levels) => void; error: ReactNode };

/** None, read or write for each resource, or for all at once. */
export function ScopeGrid({ value, onChange, error }: Props) {
  const { t } = useTranslation();
  const errorId = useId();
  const all: [Level, string][] = [
    ['read', t('keys.allRead')],
    ['write', t('keys.allWrite')],
    ['none', t('keys.clear')],
  ];
  return (
    <Panel
      title={t('keys.access')}
      aside={
        <div className={styles.all}>
          {all.map(([level, label]) => (
            <Button
              key={level}
              size="compact-xs"
              variant="default"
              onClick={() => onChange(everyLevel(level))}
            >
              {label}
            </Button>
          ))}
        </div>
      }
    >
      <p className={styles.lead}>{t('keys.accessLead')}</p>
      <ul className={styles.grid} aria-describedby={error ? errorId : undefined}>
        {SCOPE_RESOURCES.map((resource) => (
          <Row
            key={resource}
            resource={resource}
            level={value[resource]}
            onChange={(level) => onChange({ ...value, [resource]: level })}
          />
        ))}
      </ul>
      {error ? (
        <p className={styles.error} id={errorId} role="alert">
          {error}
        </p>
      ) : null}
    </Panel>
  );
}

type RowProps = { resource: ScopeResource; level: Level; onChange: (level: Level) => void };

function Row({ resource, level, onChange }: RowProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <li className={styles.row} data-level={level}>
      <span className={styles.words} id={id}>
        <span className={styles.name}>{t(`keys.resources.${resource}`)}</span>
        <span className={styles.about}>{t(`keys.resourceWords.${resource}`)}</span>
      </span>
      <SegmentedControl
        className={styles.level}
        size="xs"
        aria-labelledby={id}
        value={level}
        onChange={(next) => onChange(next as Level)}
        data={LEVELS.map((each) => ({ value: each, label: t(`keys.level.${each}`) }))}
      />
    </li>
  );
}
