import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import styles from './TestAnswer.module.css';
import type { TargetTest } from './test-target.ts';

/** The result of a test, until the next test or until the page is left. */
export function TestAnswer({ test }: { test: TargetTest }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const explain = useFailureSentence();
  if (test.refusal !== null) {
    return (
      <Answer ok={false} title={t('targets.testNotSent')}>
        {test.refusal}
      </Answer>
    );
  }
  if (test.reply === undefined) return <div role="status" />;
  const { ok, status_code, latency_ms, error } = test.reply;
  const said = [
    status_code === undefined ? null : t('targets.answered', { status: status_code }),
    error === undefined ? null : explain({ failure_class: error }),
    formats.milliseconds(latency_ms),
  ];
  return (
    <Answer ok={ok} title={t(ok ? 'targets.testOk' : 'targets.testFailed')}>
      {said.filter((part) => part !== null).join(' · ')}
    </Answer>
  );
}

function Answer({ ok, title, children }: { ok: boolean; title: string; children: string }) {
  return (
    <div className={styles.answer} data-ok={ok || undefined} role="status">
      <StatusGlyph state={ok ? 'passed' : 'failed'} size={14} />
      <p>
        <strong>{title}</strong> <span>{children}</span>
      </p>
    </div>
  );
}
