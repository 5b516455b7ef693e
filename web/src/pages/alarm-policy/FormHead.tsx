import { useTranslation } from 'react-i18next';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import styles from './FormHead.module.css';

/** The head of a form of the alarm policy, with a link back. */
export function FormHead({ title, below }: { title: string; below?: string }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  return (
    <PageHead
      title={title}
      above={
        <BackLink to="/o/$orgId/settings/alarm-policy" params={{ orgId }}>
          {t('alarmPolicy.title')}
        </BackLink>
      }
      below={below === undefined ? undefined : <p className={styles.lead}>{below}</p>}
    />
  );
}
