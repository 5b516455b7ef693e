import { useTranslation } from 'react-i18next';
import { POSTMORTEM_FIELDS } from '#src/domain/names.ts';
import type { Postmortem } from '#src/incidents/actions-contract.ts';
import { Markdown } from '#web/ui/Markdown.tsx';
import styles from './Postmortem.module.css';

/** A post-mortem, read-only; empty sections are left out. */
export function PostmortemText({ postmortem }: { postmortem: Postmortem }) {
  const { t } = useTranslation();
  const parts = POSTMORTEM_FIELDS.filter((field) => field !== 'title' && postmortem[field].trim() !== '');
  return (
    <article className={styles.article}>
      {postmortem.title === '' ? null : <h2 className={styles.title}>{postmortem.title}</h2>}
      {parts.length === 0 && postmortem.title === '' ? <p>{t('postmortem.nothingYet')}</p> : null}
      {parts.map((field) => (
        <section key={field}>
          <h3 className={styles.heading}>{t(`postmortem.fields.${field}`)}</h3>
          <div className={styles.text}>
            <Markdown text={postmortem[field]} headings={4} />
          </div>
        </section>
      ))}
    </article>
  );
}
