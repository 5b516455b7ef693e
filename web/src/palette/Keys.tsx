import styles from './Keys.module.css';

/** Keys as they are written on keyboards; pressed one after the other, or with "+" together. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles.keys}>
      {keys.map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
