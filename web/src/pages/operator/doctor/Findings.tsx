import { useTranslation } from 'react-i18next';
import type { Subject } from '#src/domain/finding-words.ts';
import type { Finding, Report } from '#src/operator/doctor-contract.ts';
import { useFormats } from '#web/format.ts';
import type { DisplayState } from '#web/ui/StatusGlyph.tsx';
import { LabelledGlyph } from '../regions/RegionWords.tsx';
import styles from './DoctorPage.module.css';

const GLYPHS: Record<Finding['state'], DisplayState> = { ok: 'passed', warn: 'degraded', fail: 'failed' };
const WORST_FIRST: readonly Finding['state'][] = ['fail', 'warn', 'ok'];

/** The findings, the most severe first. */
export function Findings({ report }: { report: Report }) {
  const { t } = useTranslation();
  const count = (state: Finding['state']) => report.findings.filter((each) => each.state === state).length;
  const [failed, warned] = [count('fail'), count('warn')];
  const sorted = WORST_FIRST.flatMap((state) => report.findings.filter((each) => each.state === state));
  const summary =
    failed > 0
      ? t('doctor.failed', { count: failed })
      : warned > 0
        ? t('doctor.warned', { count: warned })
        : t('doctor.fine');
  return (
    <>
      <h2 className={styles.summary}>{summary}</h2>
      <ul className={styles.list} aria-label={t('doctor.title')}>
        {sorted.map((finding) => (
          <FindingRow key={`${finding.code} ${finding.said}`} finding={finding} />
        ))}
      </ul>
    </>
  );
}

function FindingRow({ finding }: { finding: Finding }) {
  const { t } = useTranslation();
  const words = useWords(finding);
  return (
    <li className={styles.row}>
      <LabelledGlyph state={GLYPHS[finding.state]} word={t(`doctor.state.${finding.state}`)} />
      <span className={styles.subject}>{t(`doctor.subjects.${finding.subject as Subject}`)}</span>
      <div className={styles.words}>
        <p>{words('said')}</p>
        {finding.todo === null ? null : <p className={styles.todo}>{words('todo')}</p>}
      </div>
    </li>
  );
}

/** Values that are numbers: the server writes them with a decimal point. */
const FIGURES = ['seconds', 'free', 'share'] as const;

/** A finding in the reader's language; one that this dashboard does not know stays in English. */
function useWords({ code, values, ...finding }: Finding) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  // The code comes from the server, so the compiler cannot know it.
  const figures = Object.fromEntries(
    FIGURES.flatMap((name) =>
      values[name] === undefined ? [] : [[name, formats.number(Number(values[name]))]],
    ),
  );
  const translated = t as (key: string, values: Record<string, string>) => string;
  return (part: 'said' | 'todo'): string | null => {
    const key = `doctor.findings.${code}.${part}`;
    return i18n.exists(key) ? translated(key, { ...values, ...figures }) : finding[part];
  };
}
