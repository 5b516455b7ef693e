import { Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Write } from '../use-write.ts';
import { adjacentKey, arranged } from './arranged.ts';
import type { Item } from './item.ts';
import { Keys } from './Keys.tsx';
import { show } from './overlay.ts';
import styles from './Palette.module.css';
import { useActionItems } from './use-action-items.tsx';
import { useNounItems } from './use-noun-items.tsx';
import { usePaletteContext } from './use-palette-context.ts';
import { usePlaceItems } from './use-place-items.tsx';
import { useSubjectItems } from './use-subject-items.tsx';
import { useIncidentItems, useMonitorItems } from './use-watched-items.tsx';

/**
 * Finds every page, monitor, incident and action by name. `write` outlives the palette, which closes before an action runs.
 */
export default function Palette({ write }: { write: Write }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const isTyped = typed.trim() !== '';
  const where = usePaletteContext();
  const monitors = useMonitorItems(where, typed);
  const items = [
    ...useSubjectItems(where, write),
    ...usePlaceItems(where),
    ...monitors.items,
    ...useIncidentItems(where, isTyped),
    ...useNounItems(where, isTyped),
    ...useActionItems(where),
  ];
  const groups = arranged(typed, items);
  const count = groups.reduce((sum, group) => sum + group.items.length, 0);
  const list = useChosen(groups.flatMap((group) => group.items));
  const said = !isTyped || (count === 0 && monitors.isSearching) ? '' : t('palette.found', { count });

  function type(text: string) {
    setTyped(text);
    list.choose(undefined);
  }

  return (
    <Modal.Root
      opened
      returnFocus={false}
      onClose={() => show(null)}
      centered={false}
      yOffset="10dvh"
      size={640}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.title')} classNames={{ content: styles.content }}>
        <div className={styles.head}>
          <IconSearch size={18} stroke={1.7} aria-hidden="true" />
          <input
            className={styles.input}
            data-autofocus
            type="text"
            role="combobox"
            aria-label={t('palette.placeholder')}
            aria-expanded={count > 0}
            aria-controls={list.id}
            aria-autocomplete="list"
            aria-activedescendant={list.activeId}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={t('palette.placeholder')}
            value={typed}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={list.onKeyDown}
          />
          <Keys keys={['Esc']} />
        </div>
        <div className={styles.list} id={list.id} role="listbox" aria-label={t('palette.title')}>
          {groups.map(({ group, items: found }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
            <div key={group} role="group" aria-labelledby={`${list.id}-${group}`}>
              <div className={styles.group} id={`${list.id}-${group}`} role="presentation">
                {t(`palette.groups.${group}`)}
              </div>
              {found.map((item) => (
                <Line
                  key={item.key}
                  item={item}
                  id={list.idOf(item.key)}
                  isActive={item.key === list.activeKey}
                  onPoint={() => list.choose(item.key)}
                />
              ))}
            </div>
          ))}
        </div>
        {count === 0 && !monitors.isSearching ? (
          <p className={styles.none}>{t(monitors.hasFailed ? 'palette.failed' : 'palette.none')}</p>
        ) : null}
        <p className="visually-hidden" role="status">
          {said}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}

type LineProps = { item: Item; id: string; isActive: boolean; onPoint: () => void };

/** The input keeps the focus and handles the keys; lines only react to the pointer. */
function Line({ item, id, isActive, onPoint }: LineProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox says which option is active
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
    <div
      className={styles.line}
      role="option"
      id={id}
      aria-selected={isActive}
      onMouseMove={isActive ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => done(item)}
    >
      <span className={styles.icon}>{item.icon}</span>
      <span className={styles.label}>{item.label}</span>
      {item.detail === undefined ? null : <span className={styles.detail}>{item.detail}</span>}
      {item.keys === undefined ? null : <Keys keys={item.keys} />}
    </div>
  );
}

function done(item: Item): void {
  show(null);
  void item.run();
}

/** The line that Enter opens: the first, until another is chosen. */
function useChosen(items: readonly Item[]) {
  const id = useId();
  const [chosen, choose] = useState<string>();
  const byKey = useRef(false);
  const active = items.find(({ key }) => key === chosen) ?? items[0];
  const activeKey = active?.key;
  const idOf = (key: string) => `${id}-${key.replace(/[^\w-]/g, '_')}`;
  const activeId = activeKey === undefined ? undefined : idOf(activeKey);

  // Only for keys: a line under the pointer is visible, and scrolling would move it away.
  useEffect(() => {
    if (byKey.current && activeId !== undefined)
      document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
    byKey.current = false;
  }, [activeId]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (by === undefined) {
      if (active !== undefined) done(active);
      return;
    }
    byKey.current = true;
    choose(
      adjacentKey(
        items.map(({ key }) => key),
        activeKey,
        by,
      ),
    );
  }

  return { id, idOf, activeKey, activeId, choose, onKeyDown };
}
