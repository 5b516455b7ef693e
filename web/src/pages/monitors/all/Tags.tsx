import { useTranslation } from 'react-i18next';
import styles from './Tags.module.css';

/** The tags of a monitor. */
export function Tags({ tags }: { tags: readonly string[] }) {
  const { t } = useTranslation();
  if (tags.length === 0) return null;
  return (
    <ul className={styles.tags} aria-label={t('allMonitors.tags')}>
      {tags.map((tag) => (
        <li key={tag} className={styles.tag} title={tag}>
          {tag}
        </li>
      ))}
    </ul>
  );
}
