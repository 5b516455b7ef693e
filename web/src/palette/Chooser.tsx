import { ActionIcon } from '@mantine/core';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adjacentKey, type ListedGroup } from './arranged.ts';
import type { Item } from './item.ts';
import { Keys } from './Keys.tsx';
import { show } from './overlay.ts';
import styles from './Palette.module.css';
import type { StepName } from './steps.ts';

type Props = {
  /** Label and placeholder of the field. */
  asked: string;
  typed: string;
  onType: (text: string) => void;
  groups: readonly ListedGroup[];
  isSearching: boolean;
  /** The text when there are no lines. */
  none: string;
  onStep?: (step: StepName) => void;
  /** Escape, Backspace in the empty field and a button lead back; absent in the first step, which Escape closes. */
  onBack?: () => void;
};

/** The field of the palette, and the lines below it. */
export function Chooser({ asked, typed, onType, groups, isSearching, none, onStep, onBack }: Props) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const items = groups.flatMap((group) => group.items);
  const count = items.length;
  const isTyped = typed.trim() !== '';
  const isWaiting = count === 0 && isSearching;
  const list = useChosen(items, act);
  // The second step has a field of its own.
  useEffect(() => field.current?.focus(), []);

  function act(item: Item) {
    if (item.step !== undefined) {
      onStep?.(item.step);
      return;
    }
    show(null);
    void item.run();
  }

  function type(text: string) {
    onType(text);
    list.choose(undefined);
  }

  function onKeyDown(event: KeyboardEvent) {
    const leadsBack = event.key === 'Escape' || (event.key === 'Backspace' && typed === '');
    if (onBack === undefined || !leadsBack || event.nativeEvent.isComposing) return list.onKeyDown(event);
    event.preventDefault();
    onBack();
  }

  const said = count === 0 && !isWaiting ? none : isTyped && !isWaiting ? t('palette.found', { count }) : '';
  return (
    <>
      <div className={styles.head}>
        {onBack === undefined ? (
          <IconSearch size={18} stroke={1.7} aria-hidden="true" />
        ) : (
          <ActionIcon variant="subtle" color="gray" aria-label={t('palette.back')} onClick={onBack}>
            <IconArrowLeft size={18} stroke={1.7} aria-hidden="true" />
          </ActionIcon>
        )}
        <input
          ref={field}
          className={styles.input}
          data-autofocus
          type="text"
          role="combobox"
          aria-label={asked}
          aria-expanded={count > 0}
          aria-controls={list.id}
          aria-autocomplete="list"
          aria-activedescendant={list.activeId}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={asked}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
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
                onAct={() => act(item)}
              />
            ))}
          </div>
        ))}
      </div>
      {count === 0 && !isWaiting ? <p className={styles.none}>{none}</p> : null}
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </>
  );
}

type LineProps = { item: Item; id: string; isActive: boolean; onPoint: () => void; onAct: () => void };

/** The input keeps the focus and handles the keys; lines only react to the pointer. */
function Line({ item, id, isActive, onPoint, onAct }: LineProps) {
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
      onClick={onAct}
    >
      <span className={styles.icon}>{item.icon}</span>
      <span className={styles.label}>{item.label}</span>
      {item.detail === undefined ? null : <span className={styles.detail}>{item.detail}</span>}
      {item.keys === undefined ? null : <Keys keys={item.keys} />}
    </div>
  );
}

/** The line that Enter opens: the first, until another is chosen. */
function useChosen(items: readonly Item[], act: (item: Item) => void) {
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
      if (active !== undefined) act(active);
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
