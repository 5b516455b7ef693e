import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { read } from '#web/read.ts';
import { remembered } from '#web/remembered.ts';
import { signOut } from '#web/session.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Frame } from '../accounts/Frame.tsx';
import { OrganizationForm } from './OrganizationForm.tsx';

/** Redirects to the organization of the last visit, or to creating a first one. */
export function Home() {
  const { t } = useTranslation();
  const router = useRouter();
  const organizations = useQuery(read(listMyOrganizations, {}));
  if (organizations.isPending) {
    return (
      <Frame title="Tocsin">
        <LoadingRows count={2} />
      </Frame>
    );
  }
  if (organizations.isError) {
    return (
      <Frame title="Tocsin">
        <Failure error={organizations.error} retry={organizations.refetch} />
      </Frame>
    );
  }
  const last = remembered('organization');
  const to = organizations.data.find((organization) => organization.id === last) ?? organizations.data[0];
  if (to !== undefined) return <Navigate to="/o/$orgId/overview" params={{ orgId: to.id }} replace />;

  async function leave() {
    await signOut();
    await router.navigate({ to: '/sign-in' });
  }
  return (
    <Frame title={t('organizations.first')} lead={t('organizations.firstText')}>
      <OrganizationForm />
      <Button variant="subtle" onClick={() => void leave()}>
        {t('shell.signOut')}
      </Button>
    </Frame>
  );
}
