import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './TestNow.module.css';

const EVERY_MS = 1_000;

/** Says that a probe is checking, and for how long. */
export function TestProgress({ region }: { region: string }) {
  const { t } = useTranslation();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((passed) => passed + 1), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className={styles.progress} role="status">
      <Loader size={18} />
      <span>{t('tryout.running', { region })}</span>
      {seconds < 2 ? null : <span aria-hidden="true">{seconds} s</span>}
    </p>
  );
}
