import { Menu, UnstyledButton } from '@mantine/core';
import { IconBook2, IconBuilding, IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sessionQuery, signOut } from '../session.ts';
import { AppearanceChoice } from './AppearanceChoice.tsx';
import { LanguageChoice } from './LanguageChoice.tsx';
import { useIsOperator } from './my-role.ts';
import styles from './UserMenu.module.css';

/** Account, appearance, language, sign out. */
export function UserMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useQuery(sessionQuery);
  const isOperator = useIsOperator();
  const user = session.data?.user;

  async function leave() {
    await signOut();
    await navigate({ to: '/sign-in' });
  }

  return (
    <Menu width={264} position="top-start" shadow="md" closeOnItemClick={false} menuItemTabIndex={0}>
      <Menu.Target>
        <UnstyledButton className={styles.button} aria-label={`${t('shell.account')}: ${user?.name ?? ''}`}>
          <IconUser size={18} stroke={1.7} aria-hidden="true" />
          <span className={styles.name}>{user?.name ?? ''}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.who}>
          <strong>{user?.name}</strong>
          <span>{user?.email}</span>
        </div>
        <Menu.Divider />
        <div className={styles.choice}>
          <span id="appearance">{t('shell.appearance.label')}</span>
          <AppearanceChoice labelledBy="appearance" />
        </div>
        <div className={styles.choice}>
          <span id="language">{t('shell.language')}</span>
          <LanguageChoice labelledBy="language" />
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconShieldLock size={16} />}>
          {t('security.title')}
        </Menu.Item>
        {isOperator ? (
          <Menu.Item component={Link} to="/operator" leftSection={<IconBuilding size={16} />}>
            {t('operator.open')}
          </Menu.Item>
        ) : null}
        <Menu.Item component="a" href="/docs" leftSection={<IconBook2 size={16} />}>
          {t('shell.reference')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
