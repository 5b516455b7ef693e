import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { IncidentSeverity } from '#src/domain/names.ts';
import { type ChainStep, previewChain } from '#src/on-call/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import styles from './Declare.module.css';

type Props = { orgId: string; severity: IncidentSeverity };

/** The effect of declaring it: a degraded incident wakes nobody, any other starts the alarm chain. */
export function Consequences({ orgId, severity }: Props) {
  const { t } = useTranslation();
  const preview = useQuery(read(previewChain, { params: { org_id: orgId } }));
  const start = preview.data?.find(({ step }) => step === 'start');
  return (
    <div className={styles.consequences} aria-live="polite">
      <p className={styles.label}>{t('declare.consequences')}</p>
      <ul className={styles.list}>
        <li>{severity === 'degraded' ? t('declare.wakesNobody') : <Wakes start={start} />}</li>
        <li>
          <Notified targets={severity === 'degraded' ? [] : (start?.targets ?? [])} />
        </li>
      </ul>
    </div>
  );
}

function Wakes({ start }: { start: ChainStep | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (start === undefined || start.names.length === 0) return t('declare.wakesPlain');
  return t(start.fallback ? 'declare.wakesFallback' : 'declare.wakes', { who: formats.list(start.names) });
}

function Notified({ targets }: { targets: string[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (targets.length === 0) return t('declare.notifiesPlain');
  return t('declare.notifies', { targets: formats.list(targets) });
}
