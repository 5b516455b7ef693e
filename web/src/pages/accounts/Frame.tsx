import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '#web/page-title.ts';
import { LanguageChoice } from '#web/shell/LanguageChoice.tsx';
import { TocsinLogo } from '#web/ui/TocsinLogo.tsx';
import styles from './Frame.module.css';

/** The layout of forms for people who are not signed in. */
export function Frame({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const { t } = useTranslation();
  usePageTitle(title);
  return (
    <div className={styles.page}>
      <header className={styles.brand}>
        <TocsinLogo size={34} />
        <span className={styles.name}>Tocsin</span>
      </header>
      <main className={styles.card} id="content" tabIndex={-1}>
        <h1 className={styles.title}>{title}</h1>
        {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
        {children}
      </main>
      <footer className={styles.foot}>
        <span className="visually-hidden" id="frame-language">
          {t('shell.language')}
        </span>
        <LanguageChoice labelledBy="frame-language" />
      </footer>
    </div>
  );
}
