import { useTranslation } from 'react-i18next';
import styles from './ScopeChips.module.css';
import { grantsOf, levelOfAll } from './scopes.ts';

/** The scopes of a key, one chip per resource; write scopes stand out. */
export function ScopeChips({ scopes }: { scopes: readonly string[] }) {
  const { t } = useTranslation();
  const all = levelOfAll(scopes);
  const chips =
    all === undefined
      ? grantsOf(scopes).map(({ resource, level }) => ({
          key: resource as string,
          name: t(`keys.resources.${resource}`),
          level,
        }))
      : [{ key: 'all', name: t('keys.everything'), level: all }];
  return (
    <ul className={styles.chips} aria-label={t('keys.access')}>
      {chips.map(({ key, name, level }) => (
        <li key={key} className={styles.chip} data-level={level}>
          {name}
          <span className={styles.level}>{t(`keys.level.${level}`)}</span>
        </li>
      ))}
    </ul>
  );
}
