import { ActionIcon, Checkbox, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './MonitorsPart.module.css';

type Props = {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  isCollapsed: boolean;
  onRename: (name: string) => void;
  onMove: (by: -1 | 1) => void;
  onCollapse: (isCollapsed: boolean) => void;
};

/** The head of a group: its name, whether it starts collapsed, and its place. */
export function GroupRow({ name, isFirst, isLast, isCollapsed, onRename, onMove, onCollapse }: Props) {
  const { t } = useTranslation();
  // While being typed, the name may briefly equal another group's: it applies on blur.
  const [typed, setTyped] = useState<string | null>(null);

  function finish() {
    const wanted = typed?.trim() ?? '';
    if (wanted !== '' && wanted !== name) onRename(wanted);
    setTyped(null);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') setTyped(null);
    if (event.key !== 'Enter') return;
    // Enter applies the name, and does not submit the form.
    event.preventDefault();
    finish();
  }

  return (
    <li className={styles.group}>
      <TextInput
        className={styles.groupName}
        classNames={{ input: styles.groupInput }}
        size="xs"
        aria-label={t('statusPages.monitors.groupName', { name })}
        maxLength={200}
        value={typed ?? name}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={finish}
        onKeyDown={onKeyDown}
      />
      <Checkbox
        size="xs"
        label={t('statusPages.monitors.collapsed')}
        aria-label={t('statusPages.monitors.collapse', { name })}
        checked={isCollapsed}
        onChange={(event) => onCollapse(event.currentTarget.checked)}
      />
      <span className={styles.buttons}>
        <ActionIcon
          aria-label={t('statusPages.monitors.groupUp', { name })}
          aria-disabled={isFirst}
          onClick={() => (isFirst ? undefined : onMove(-1))}
        >
          <IconArrowUp size={17} />
        </ActionIcon>
        <ActionIcon
          aria-label={t('statusPages.monitors.groupDown', { name })}
          aria-disabled={isLast}
          onClick={() => (isLast ? undefined : onMove(1))}
        >
          <IconArrowDown size={17} />
        </ActionIcon>
      </span>
    </li>
  );
}
