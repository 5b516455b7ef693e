import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { AlarmPlan } from '#src/on-call/alarm-plan-contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { mayAdminister, useMayManage, useMyRole } from '#web/shell/my-role.ts';
import styles from './AlarmPlanWarnings.module.css';

/** Obstacles to being notified, each with a link to fix it if the reader may. */
export function AlarmPlanWarnings({ warnings }: Pick<AlarmPlan, 'warnings'>) {
  const { t } = useTranslation();
  if (warnings.length === 0) return null;
  return (
    <ul className={styles.list}>
      {warnings.map((warning) => (
        <li key={warning} data-grave={warning === 'nobody' || undefined}>
          <span className={styles.what}>{t(`alarmPlan.warning.${warning}`)}</span>
          <Remedy warning={warning} />
        </li>
      ))}
    </ul>
  );
}

function Remedy({ warning }: { warning: AlarmPlan['warnings'][number] }) {
  const { t } = useTranslation();
  const params = { orgId: useOrgId() };
  const mayManage = useMayManage();
  const mayInvite = mayAdminister(useMyRole());
  switch (warning) {
    case 'nobody':
      return mayManage ? (
        <Link to="/o/$orgId/notifications/new" params={params}>
          {t('alarmPlan.do.target')}
        </Link>
      ) : (
        t('alarmPlan.warning.nobodyText')
      );
    case 'mail_not_configured':
      return t('alarmPlan.doHint.mail');
    case 'no_push_subscription':
      return (
        <Link to="/account" hash="push">
          {t('alarmPlan.do.push')}
        </Link>
      );
    case 'one_person':
      return mayInvite ? (
        <Link to="/o/$orgId/settings/members" params={params}>
          {t('alarmPlan.do.invite')}
        </Link>
      ) : null;
  }
}
