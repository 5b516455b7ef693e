import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLock, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listMembers } from '#src/members/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { mayAdminister, useMyRole } from '#web/shell/my-role.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { InvitePerson } from './InvitePerson.tsx';
import styles from './MembersPage.module.css';
import { MemberTable } from './MemberTable.tsx';
import { OpenInvitations } from './OpenInvitations.tsx';
import { Seats } from './Seats.tsx';

export default function MembersPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const role = useMyRole();
  const [inviting, invitation] = useDisclosure(false);
  const members = useQuery(read(listMembers, { params: { org_id: orgId }, query: MAX_PAGE }));
  return (
    <>
      <PageHead title={t('members.title')} below={<Seats />}>
        {role === undefined ? undefined : mayAdminister(role) ? (
          <Button leftSection={<IconUserPlus size={16} />} data-lead="invite" onClick={invitation.open}>
            {t('members.invite')}
          </Button>
        ) : (
          <p className={styles.reason}>
            <IconLock size={15} stroke={1.7} aria-hidden="true" />
            {t('members.manageOnly')}
          </p>
        )}
      </PageHead>
      <div className={styles.page}>
        {members.isPending ? <LoadingRows count={4} height={56} /> : null}
        {members.isError ? <Failure error={members.error} retry={members.refetch} /> : null}
        {members.isSuccess ? (
          <div className={styles.list}>
            <MemberTable members={members.data} />
          </div>
        ) : null}
        {mayAdminister(role) && !members.isPending ? <OpenInvitations /> : null}
      </div>
      <InvitePerson opened={inviting} onClose={invitation.close} />
    </>
  );
}
