import { useTranslation } from 'react-i18next';
import styles from './Steps.module.css';

/** Progress through a few steps; `at` counts from 1. */
export function Steps({ at, names }: { at: number; names: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <ol className={styles.steps} aria-label={t('security.stepsLabel')}>
      {names.map((name, index) => (
        <li
          key={name}
          className={styles.step}
          data-state={index + 1 < at ? 'done' : index + 1 === at ? 'now' : 'later'}
          aria-current={index + 1 === at ? 'step' : undefined}
        >
          <span className={styles.number} aria-hidden="true">
            {index + 1}
          </span>
          <span className={styles.name}>{name}</span>
        </li>
      ))}
    </ol>
  );
}
