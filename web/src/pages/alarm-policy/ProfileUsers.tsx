import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { useOrganizationMonitors } from '../monitors/form/use-organization-monitors.ts';
import styles from './ProfileUsers.module.css';

/** The monitors that use a profile, each with a link to its own form, where another can be chosen. */
export function ProfileUsers({ profileId }: { profileId: string }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { projects, isPending } = useOrganizationMonitors();
  if (isPending) return <LoadingRows count={2} height={24} />;
  const users = projects.flatMap(({ project, monitors }) =>
    monitors
      .filter(({ policy }) => policy?.alert_profile_id === profileId)
      .map(({ id, name }) => ({ id, name, project })),
  );
  return (
    <ul className={styles.list} aria-label={t('alarmPolicy.profiles.users')}>
      {users.map(({ id, name, project }) => (
        <li key={id}>
          <Link to="/o/$orgId/monitors/$monitorId/edit" params={{ orgId, monitorId: id }}>
            {name}
          </Link>
          <span className={styles.project}>{project}</span>
        </li>
      ))}
    </ul>
  );
}
