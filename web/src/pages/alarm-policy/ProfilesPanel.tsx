import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getAlarmStandard, listAlertProfiles } from '#src/alarm-policy/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { inheritedFrom, inheritedPolicy } from '../monitors/form/policy-levels.ts';
import styles from './AlarmPolicyPage.module.css';
import { DeleteProfile } from './DeleteProfile.tsx';
import { ProfileRow } from './ProfileRow.tsx';

/** The organization's alert profiles, each with the values it sets. */
export function ProfilesPanel() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  const params = { org_id: orgId };
  const profiles = useQuery(read(listAlertProfiles, { params, query: MAX_PAGE }));
  const standard = useQuery(read(getAlarmStandard, { params }));
  const [deleting, setDeleting] = useState<string | null>(null);
  const list = profiles.data ?? [];
  const create = (
    <Button
      size="xs"
      leftSection={<IconPlus size={15} />}
      renderRoot={(props) => (
        <Link {...props} to="/o/$orgId/settings/alarm-policy/profiles/new" params={{ orgId }} />
      )}
    >
      {t('alarmPolicy.profiles.new')}
    </Button>
  );
  return (
    <Panel
      title={t('alarmPolicy.profiles.title')}
      flush={list.length > 0}
      aside={mayManage ? create : <Locked text={t('ui.readOnly')} />}
    >
      {profiles.isPending ? <LoadingRows count={2} height={60} /> : null}
      {profiles.isLoadingError ? <Failure error={profiles.error} retry={profiles.refetch} /> : null}
      {profiles.isSuccess && list.length === 0 ? (
        <p className={styles.none}>{t('alarmPolicy.profiles.none')}</p>
      ) : null}
      {list.length === 0 ? null : (
        <ul className={styles.profiles} aria-label={t('alarmPolicy.profiles.title')}>
          {list.map((profile) => (
            <ProfileRow
              key={profile.id}
              orgId={orgId}
              profile={profile}
              inForce={inheritedPolicy(inheritedFrom(profile.id, list, standard.data ?? null))}
              onDelete={mayManage ? () => setDeleting(profile.id) : null}
            />
          ))}
        </ul>
      )}
      <DeleteProfile
        profile={list.find(({ id }) => id === deleting) ?? null}
        onClose={() => setDeleting(null)}
      />
    </Panel>
  );
}
