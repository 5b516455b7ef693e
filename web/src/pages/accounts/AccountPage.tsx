import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getMe } from '#src/accounts/contract.ts';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { AccountFrame } from './account/AccountFrame.tsx';
import { DeleteSection } from './account/DeleteSection.tsx';
import { PasskeysSection } from './account/PasskeysSection.tsx';
import { PasswordSection } from './account/PasswordSection.tsx';
import { ProfileSection } from './account/ProfileSection.tsx';
import { PushSection } from './account/PushSection.tsx';
import { SessionsSection } from './account/SessionsSection.tsx';
import { sessionsQuery } from './account/sessions.ts';
import { TwoFactorSection } from './account/TwoFactorSection.tsx';
import { passkeysQuery } from './passkeys.ts';

/** The person's own settings and sign-in methods; settings of organizations are on other pages. */
export default function AccountPage() {
  const { t } = useTranslation();
  const me = useQuery(read(getMe, {}));
  // A list that arrived later would move the buttons below it away from the pointer. One that fails says so in its section.
  const lists = [useQuery(passkeysQuery), useQuery(sessionsQuery)];
  const isPending = me.isPending || lists.some((list) => list.isPending && list.failureCount === 0);
  return (
    <AccountFrame>
      <PageHead title={t('security.title')} below={t('security.lead')} />
      {isPending && !me.isError ? <LoadingRows count={4} height={120} /> : null}
      {me.isError ? <Failure error={me.error} retry={me.refetch} /> : null}
      {me.isSuccess && !isPending ? (
        <>
          <ProfileSection me={me.data} />
          <PasswordSection me={me.data} />
          <TwoFactorSection me={me.data} />
          <PasskeysSection />
          <SessionsSection />
          <PushSection />
          <DeleteSection me={me.data} />
        </>
      ) : null}
    </AccountFrame>
  );
}
