import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { KindGlyph } from './KindGlyph.tsx';
import styles from './KindPicker.module.css';
import { FAMILIES, kindsOf } from './kinds.ts';

/** The kinds of targets: each links to its form, and says what it requires. */
export function KindPicker() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  return (
    <div className={styles.families}>
      {FAMILIES.map((family) => (
        <section key={family} aria-labelledby={`family-${family}`}>
          <h2 className={styles.title} id={`family-${family}`}>
            {t(`targets.family.${family}`)}
          </h2>
          <p className={styles.about}>{t(`targets.familyWords.${family}`)}</p>
          <ul className={styles.cards}>
            {kindsOf(family).map((kind) => (
              <li key={kind} className={styles.card}>
                <KindGlyph kind={kind} size={40} />
                <span className={styles.words}>
                  <Link
                    className={styles.name}
                    to="/o/$orgId/notifications/new"
                    params={{ orgId }}
                    search={{ kind }}
                  >
                    {t(`targets.kinds.${kind}`)}
                  </Link>
                  <span className={styles.needs}>{t(`targets.needs.${kind}`)}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
