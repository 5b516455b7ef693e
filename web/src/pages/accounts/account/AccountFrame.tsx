import {
  IconBellRinging,
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
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { read } from '#web/read.ts';
import { remembered } from '#web/remembered.ts';
import { GlobalFrame } from '#web/shell/GlobalFrame.tsx';
import navigation from '#web/shell/Navigation.module.css';
import { SECTIONS, type SectionName } from './sections.ts';

const ICONS = {
  profile: IconUser,
  password: IconKey,
  'two-factor': IconShieldLock,
  passkeys: IconFingerprint,
  sessions: IconDevices,
  push: IconBellRinging,
  delete: IconTrash,
} as const satisfies Record<SectionName, typeof IconUser>;

/** The layout of the account page. */
export function AccountFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const organizations = useQuery(read(listMyOrganizations, {}));
  const last = remembered('organization');
  const organization = organizations.data?.find((each) => each.id === last) ?? organizations.data?.[0];
  const places = SECTIONS.map((name) => {
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
  });
  const back =
    organization === undefined ? (
      t('security.backHome')
    ) : (
      <>
        <span className="visually-hidden">{t('security.back')} </span>
        {organization.name}
      </>
    );
  return (
    <GlobalFrame back={back} placesLabel={t('security.sections')} places={places}>
      {children}
    </GlobalFrame>
  );
}
