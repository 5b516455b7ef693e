import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react';
import type { DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { colourAt, Disc } from './people.tsx';
import styles from './RosterPanel.module.css';

type Props = {
  name: string;
  at: number;
  last: number;
  mayEdit: boolean;
  dragged: boolean;
  onDragStart: (event: DragEvent<HTMLElement>) => void;
  onDragEnd: (event: DragEvent<HTMLElement>) => void;
  onDragOver: () => void;
  onMove: (to: number) => void;
  onRemove: () => void;
};

/** A person in the rotation, moved by buttons or by dragging. */
export function RosterRow({ name, at, last, mayEdit, dragged, onMove, onRemove, ...on }: Props) {
  const { t } = useTranslation();
  return (
    <li
      className={styles.row}
      draggable={mayEdit}
      data-dragged={dragged || undefined}
      onDragStart={on.onDragStart}
      onDragOver={on.onDragOver}
      onDragEnd={on.onDragEnd}
    >
      {mayEdit ? (
        <IconGripVertical className={styles.grip} size={16} stroke={1.7} aria-hidden="true" />
      ) : null}
      <span className={styles.place}>{at + 1}</span>
      <Disc name={name} colour={colourAt(at)} />
      <span className={styles.name}>{name}</span>
      {mayEdit ? (
        <span className={styles.buttons}>
          <ActionIcon
            aria-label={t('onCall.roster.up', { name })}
            aria-disabled={at === 0}
            onClick={() => (at === 0 ? undefined : onMove(at - 1))}
          >
            <IconArrowUp size={17} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('onCall.roster.down', { name })}
            aria-disabled={at === last}
            onClick={() => (at === last ? undefined : onMove(at + 1))}
          >
            <IconArrowDown size={17} />
          </ActionIcon>
          <ActionIcon aria-label={t('onCall.roster.remove', { name })} onClick={onRemove}>
            <IconX size={17} />
          </ActionIcon>
        </span>
      ) : null}
    </li>
  );
}
