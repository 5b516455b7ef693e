import styles from './Keys.module.css';

/** Keys as they are labelled on keyboards; pressed in sequence, or together with "+". */
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
