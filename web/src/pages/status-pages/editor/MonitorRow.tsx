import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronRight, IconGripVertical, IconX } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import styles from './MonitorsPart.module.css';
import type { ShownMonitor } from './monitor-list.ts';

type Props = {
  item: ShownMonitor;
  /** Its public name, and its name in the dashboard. */
  label: string;
  name: string;
  isFirst: boolean;
  isLast: boolean;
  isOpened: boolean;
  isDragged: boolean;
  onOpen: () => void;
  onDragStart: (event: DragEvent<HTMLElement>) => void;
  onDragEnd: (event: DragEvent<HTMLElement>) => void;
  /** Something is dragged over this row: whether the pointer is in its lower half. */
  onDragOver: (isBelowMiddle: boolean) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  children: ReactNode;
};

/** A monitor in the list, moved by buttons or by dragging; expanded, its details. */
export function MonitorRow({ item, label, name, isFirst, isLast, isOpened, isDragged, ...on }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const parts = (['sparkline', 'bars', 'chart'] as const).filter((part) => item[part]);
  const about = [
    ...(label === name ? [] : [name]),
    ...parts.map((part) => t(`statusPages.monitors.part.${part}`)),
    t('plan.days', { count: item.windowDays }),
  ];
  return (
    <li
      className={styles.row}
      data-dragged={isDragged || undefined}
      onDragOver={(event) => {
        const { top, height } = event.currentTarget.getBoundingClientRect();
        on.onDragOver(event.clientY > top + height / 2);
      }}
    >
      <div className={styles.line}>
        {/* Only the handle is draggable, so that text in the fields below can be selected. */}
        <span
          className={styles.grip}
          draggable
          aria-hidden="true"
          onDragStart={(event) => {
            const row = event.currentTarget.closest('li');
            if (row !== null) event.dataTransfer.setDragImage(row, 18, 24);
            on.onDragStart(event);
          }}
          onDragEnd={on.onDragEnd}
        >
          <IconGripVertical size={16} stroke={1.7} />
        </span>
        <span className={styles.words}>
          <span className={styles.name}>{label}</span>
          <span className={styles.about}>{about.map(isolated).join(' · ')}</span>
        </span>
        <span className={styles.buttons}>
          <ActionIcon
            aria-label={t('statusPages.monitors.up', { name: label })}
            aria-disabled={isFirst}
            onClick={() => (isFirst ? undefined : on.onMove(-1))}
          >
            <IconArrowUp size={17} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('statusPages.monitors.down', { name: label })}
            aria-disabled={isLast}
            onClick={() => (isLast ? undefined : on.onMove(1))}
          >
            <IconArrowDown size={17} />
          </ActionIcon>
          <ActionIcon aria-label={t('statusPages.monitors.remove', { name: label })} onClick={on.onRemove}>
            <IconX size={17} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('statusPages.monitors.details', { name: label })}
            aria-expanded={isOpened}
            aria-controls={id}
            onClick={on.onOpen}
          >
            <IconChevronRight size={17} className={styles.chevron} data-opened={isOpened || undefined} />
          </ActionIcon>
        </span>
      </div>
      <div id={id} hidden={!isOpened}>
        {isOpened ? on.children : null}
      </div>
    </li>
  );
}
