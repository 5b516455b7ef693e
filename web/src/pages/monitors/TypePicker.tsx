import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from './TypePicker.module.css';
import { OFFERED_TYPES } from './types.ts';

/** The monitor types by group, each with a description; every choice links to its form. */
export function TypePicker() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  return (
    <div className={styles.groups}>
      {OFFERED_TYPES.map(({ group, types }) => (
        <section key={group} className={styles.group} data-group={group} aria-labelledby={`types-${group}`}>
          <h2 className={styles.title} id={`types-${group}`}>
            {t(`typeGroups.${group}`)}
          </h2>
          <ul className={styles.list}>
            {types.map((offered) => (
              <Choice key={offered.type} {...offered} orgId={orgId} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

type ChoiceProps = (typeof OFFERED_TYPES)[number]['types'][number] & { orgId: string };

function Choice({ type, Icon, orgId }: ChoiceProps) {
  const { t } = useTranslation();
  return (
    <li className={styles.item}>
      <Icon size={20} stroke={1.6} className={styles.icon} />
      <span className={styles.words}>
        <Link className={styles.name} to="/o/$orgId/monitors/new" params={{ orgId }} search={{ type }}>
          {t(`types.${type}.name`)}
        </Link>
        <span className={styles.what}>{t(`types.${type}.what`)}</span>
      </span>
    </li>
  );
}
