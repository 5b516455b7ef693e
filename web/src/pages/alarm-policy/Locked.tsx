import { IconLock } from '@tabler/icons-react';
import styles from './AlarmPolicyPage.module.css';

/** In place of actions: who has them. */
export function Locked({ text }: { text: string }) {
  return (
    <p className={styles.reason}>
      <IconLock size={15} stroke={1.7} aria-hidden="true" />
      {text}
    </p>
  );
}
