import { useTranslation } from 'react-i18next';
import type { ResponseExcerpt } from '#src/capsules/response-contract.ts';
import styles from './ResponseExcerptPanel.module.css';

/** The stored response of a target: its headers and the beginning of its body. */
export function ResponseExcerptPanel({ answer }: { answer: ResponseExcerpt }) {
  const { t } = useTranslation();
  const { headers, body, body_kind, truncated, withheld, status_code } = answer;
  if (withheld) return <p className={styles.none}>{t('answer.withheld')}</p>;
  return (
    <div className={styles.answer}>
      <p className={styles.status}>
        <span className="mono">HTTP {status_code}</span>
        <span className={styles.masked}>{t('answer.masked')}</span>
      </p>
      {headers.length === 0 ? null : (
        <dl className={styles.headers} aria-label={t('answer.headers')} tabIndex={0}>
          {headers.map(({ name, value }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may repeat, and the list never changes
            <div key={`${name}${at}`}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {body === null ? (
        <p className={styles.none}>{t(`answer.kinds.${body_kind === 'text' ? 'unread' : body_kind}`)}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        <pre className={styles.body} dir="auto" tabIndex={0}>
          {body}
        </pre>
      )}
      {truncated && body !== null ? <p className={styles.none}>{t('answer.truncated')}</p> : null}
    </div>
  );
}
