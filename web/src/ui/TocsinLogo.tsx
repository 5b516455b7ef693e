import { useTranslation } from 'react-i18next';
import styles from './TocsinLogo.module.css';

type Props = { size?: number; ringing?: boolean };

/**
 * The logo: a tocsin with its yoke. The clapper hangs still while all is well, and swings red while an incident is open.
 */
export function TocsinLogo({ size = 26, ringing = false }: Props) {
  const { t } = useTranslation();
  return (
    <svg
      className={styles.mark}
      data-ringing={ringing || undefined}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      role="img"
      aria-label={t(ringing ? 'shell.markRinging' : 'shell.mark')}
    >
      <rect className={styles.yoke} x="5" y="2.5" width="22" height="3.4" rx="1.7" />
      <g className={styles.bell}>
        <path
          className={styles.body}
          d="M16 5.9c-4.6 0-7 3.3-7 8.2 0 4.7-1.5 7.4-3.7 9.2-.9.7-.4 2.2.8 2.2h19.8c1.2 0 1.7-1.5.8-2.2-2.2-1.8-3.7-4.5-3.7-9.2 0-4.9-2.4-8.2-7-8.2Z"
        />
        <path className={styles.cut} d="M7.6 21.9h16.8" />
        <circle className={styles.clapper} cx="16" cy="27.6" r="2.6" />
      </g>
    </svg>
  );
}
