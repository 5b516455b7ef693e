import {
  IconArrowLeft,
  IconDevices,
  IconFingerprint,
  IconKey,
  IconShieldLock,
  IconTrash,
  IconUser,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listMyOrganizations } from '../../../../../src/organizations/contract.ts';
import { read } from '../../../read.ts';
import { remembered } from '../../../remembered.ts';
import navigation from '../../../shell/Navigation.module.css';
import shell from '../../../shell/Shell.module.css';
import { UserMenu } from '../../../shell/UserMenu.tsx';
import { BellMark } from '../../../ui/BellMark.tsx';
import styles from './AccountFrame.module.css';
import { SECTIONS, type SectionName } from './sections.ts';

const ICONS = {
  profile: IconUser,
  password: IconKey,
  'two-factor': IconShieldLock,
  passkeys: IconFingerprint,
  sessions: IconDevices,
  delete: IconTrash,
} as const satisfies Record<SectionName, typeof IconUser>;

/** The frame of the account page: no organization's, but looking like theirs, with the way back. */
export function AccountFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const organizations = useQuery(read(listMyOrganizations, {}));
  const last = remembered('organization');
  const back = organizations.data?.find((each) => each.id === last) ?? organizations.data?.[0];
  return (
    <div className={shell.shell}>
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <div className={shell.side}>
        <Link to="/" className={shell.brand}>
          <BellMark />
          <span className={shell.name}>Tocsin</span>
        </Link>
        <Link to="/" className={styles.back}>
          <IconArrowLeft size={17} stroke={1.7} aria-hidden="true" />
          <span>
            {back === undefined ? (
              t('security.backHome')
            ) : (
              <>
                <span className="visually-hidden">{t('security.back')} </span>
                {back.name}
              </>
            )}
          </span>
        </Link>
        <nav className={`${navigation.nav} ${styles.sections}`} aria-label={t('security.sections')}>
          {SECTIONS.map((name) => {
            const Icon = ICONS[name];
            return (
              <Link
                key={name}
                to="/account"
                hash={name}
                className={navigation.place}
                activeProps={{ 'data-active': true }}
                activeOptions={{ includeHash: true }}
              >
                <Icon size={18} stroke={1.7} aria-hidden="true" />
                <span>{t(`security.${name}.title`)}</span>
              </Link>
            );
          })}
        </nav>
        <div className={shell.foot}>
          <UserMenu />
        </div>
      </div>
      <main className={shell.main} id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
