import { Menu } from '@mantine/core';
import { IconCopy, IconDots, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedMonitor } from '#src/monitors/all/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { isFocusNowhere } from '#web/ui/focus-nowhere.ts';
import { CloneMonitor } from '../detail/CloneMonitor.tsx';
import { useToggleMonitor } from '../detail/use-toggle-monitor.tsx';
import styles from './RowActions.module.css';

/** The actions on one monitor of the list. The menu costs more than a whole row, so it is rendered when opened. */
export function RowActions({ monitor }: { monitor: ListedMonitor }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [cloning, setCloning] = useState(false);
  const place = useRef<HTMLSpanElement>(null);

  /** The button is another one once the menu is closed, so neither the menu nor a dialog that it opened finds it. */
  function giveFocusBack() {
    requestAnimationFrame(() => {
      if (isFocusNowhere()) place.current?.querySelector('button')?.focus();
    });
  }

  function closeMenu() {
    setOpened(false);
    giveFocusBack();
  }

  function closeClone() {
    setCloning(false);
    giveFocusBack();
  }

  const button = (
    <button
      type="button"
      className={styles.button}
      aria-haspopup="menu"
      aria-label={t('allMonitors.actionsOf', { name: monitor.name })}
      onClick={opened ? undefined : () => setOpened(true)}
    >
      <IconDots size={17} aria-hidden="true" />
    </button>
  );
  return (
    <span className={styles.actions} ref={place}>
      {opened ? (
        <Opened monitor={monitor} onClone={() => setCloning(true)} onClose={closeMenu}>
          {button}
        </Opened>
      ) : (
        button
      )}
      {cloning ? <CloneMonitor monitor={monitor} onClose={closeClone} /> : null}
    </span>
  );
}

type OpenedProps = {
  monitor: ListedMonitor;
  onClone: () => void;
  onClose: () => void;
  children: ReactElement;
};

function Opened({ monitor, onClone, onClose, children }: OpenedProps) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const turn = useToggleMonitor();
  return (
    <Menu opened onClose={onClose} position="bottom-end">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={monitor.enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          onClick={() => turn(monitor)}
        >
          {t(monitor.enabled ? 'monitor.pause' : 'monitor.resume')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPencil size={16} />}
          renderRoot={(props) => (
            <Link
              to="/o/$orgId/monitors/$monitorId/edit"
              params={{ orgId, monitorId: monitor.id }}
              {...props}
            />
          )}
        >
          {t('ui.edit')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={onClone}>
          {t('monitor.clone')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
