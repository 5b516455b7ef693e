import { useTranslation } from 'react-i18next';
import { useOrganizationMonitors } from '../form/use-organization-monitors.ts';
import styles from './Dependencies.module.css';
import { MonitorLink } from './MonitorLink.tsx';

/** The monitors that this one depends on, with their states. */
export function Dependencies({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation();
  const { projects } = useOrganizationMonitors();
  const all = projects.flatMap(({ monitors }) => monitors);
  const known = ids
    .map((id) => all.find((monitor) => monitor.id === id))
    .filter((each) => each !== undefined);
  if (known.length === 0) return null;
  return (
    <section>
      <h3 className={styles.title}>{t('alarm.dependsOn')}</h3>
      <ul className={styles.list}>
        {known.map((monitor) => (
          <li key={monitor.id}>
            <MonitorLink monitor={monitor} />
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t('alarm.dependsOnHint')}</p>
    </section>
  );
}
