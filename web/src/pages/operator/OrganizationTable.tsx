import { useTranslation } from 'react-i18next';
import type { AdministeredOrganization } from '#src/operator/contract.ts';
import { useFormats } from '#web/format.ts';
import table from '#web/ui/Table.module.css';
import styles from './OrganizationTable.module.css';
import { PlanSelect } from './PlanSelect.tsx';

/** The installation's organizations, newest first, each with its plan. */
export function OrganizationTable({ organizations }: { organizations: AdministeredOrganization[] }) {
  const { t } = useTranslation();
  return (
    <table className={table.table} aria-label={t('operator.title')}>
      <thead>
        <tr>
          <th scope="col">{t('operator.organization')}</th>
          <th scope="col">{t('operator.plan')}</th>
          <th scope="col" className={`${table.figure} ${styles.wide}`}>
            {t('operator.members')}
          </th>
          <th scope="col" className={`${table.figure} ${styles.wide}`}>
            {t('operator.monitors')}
          </th>
          <th scope="col" className={`${table.figure} ${styles.wide}`}>
            {t('operator.created')}
          </th>
        </tr>
      </thead>
      <tbody>
        {organizations.map((organization) => (
          <Row key={organization.id} organization={organization} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ organization }: { organization: AdministeredOrganization }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { id, name, slug, plan, members, monitors, created_at_unix } = organization;
  return (
    <tr>
      <td className={styles.what}>
        <span className={styles.name}>{name}</span>
        <span className={`mono ${styles.slug}`}>{slug}</span>
        <span className={styles.narrow}>
          {t('operator.memberCount', { count: members })} · {t('operator.monitorCount', { count: monitors })}
        </span>
      </td>
      <td className={styles.plan}>
        <PlanSelect id={id} name={name} plan={plan} compact />
      </td>
      <td className={`${table.figure} ${styles.wide}`}>{formats.integer(members)}</td>
      <td className={`${table.figure} ${styles.wide}`}>{formats.integer(monitors)}</td>
      <td className={`${table.figure} ${styles.wide} ${table.quiet}`}>
        <time
          dateTime={new Date(created_at_unix * 1_000).toISOString()}
          title={formats.full(created_at_unix)}
        >
          {formats.date(created_at_unix)}
        </time>
      </td>
    </tr>
  );
}
