import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getAlarmStandard, listAlertProfiles } from '#src/alarm-policy/contract.ts';
import { isFirstRead } from '#web/first-read.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import styles from './AlarmPolicyPage.module.css';
import { ProfilesPanel } from './ProfilesPanel.tsx';
import { StandardPanel } from './StandardPanel.tsx';

/** The policies that monitors inherit: the organization's standard, and the profiles that override it. */
export default function AlarmPolicyPage() {
  const { t } = useTranslation();
  const params = { org_id: useOrgId() };
  const standard = useQuery(read(getAlarmStandard, { params }));
  const profiles = useQuery(read(listAlertProfiles, { params, query: MAX_PAGE }));
  return (
    <>
      <PageHead
        title={t('alarmPolicy.title')}
        below={<p className={styles.lead}>{t('alarmPolicy.lead')}</p>}
      />
      <div className={styles.page}>
        {isFirstRead(standard, profiles) ? (
          <LoadingRows count={2} height={160} />
        ) : (
          <>
            <StandardPanel />
            <ProfilesPanel />
          </>
        )}
      </div>
    </>
  );
}
