import { useTranslation } from 'react-i18next';
import { PageHead } from '#web/ui/PageHead.tsx';
import styles from './AlarmPolicyPage.module.css';
import { ProfilesPanel } from './ProfilesPanel.tsx';
import { StandardPanel } from './StandardPanel.tsx';

/** The policies that monitors inherit: the organization's standard, and the profiles that override it. */
export default function AlarmPolicyPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead
        title={t('alarmPolicy.title')}
        below={<p className={styles.lead}>{t('alarmPolicy.lead')}</p>}
      />
      <div className={styles.page}>
        <StandardPanel />
        <ProfilesPanel />
      </div>
    </>
  );
}
