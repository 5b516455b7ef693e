import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#src/platform/contract.ts';
import type { createProbeToken } from '#src/regions/contract.ts';
import { CopyBlock } from '#web/ui/CopyBlock.tsx';
import styles from '#web/ui/Form.module.css';
import { isLocalOnly } from './local-only.ts';
import { ProbeArrival } from './ProbeArrival.tsx';
import own from './ProbeCommand.module.css';

type Props = {
  slug: string;
  name: string;
  made: ReplyOf<typeof createProbeToken>;
  /** The region's probes that were online before. */
  known: readonly string[];
  onDone: () => void;
};

/** Shows a new probe token once: the command to run, and the probe as soon as it connects. */
export function ProbeCommand({ slug, name, made, known, onDone }: Props) {
  const { t } = useTranslation();
  return (
    <div className={styles.stack}>
      <ol className={own.steps}>
        <li>
          <h3 className={own.title}>{t('operatorRegions.step.install', { name })}</h3>
          <p className={own.text}>{t('operatorRegions.step.installText')}</p>
        </li>
        <li>
          <h3 className={own.title}>{t('operatorRegions.step.run')}</h3>
          <p className={own.text}>{t('operatorRegions.step.runText')}</p>
          <div className={own.command}>
            <CopyBlock label={t('operatorRegions.command')} text={made.command} />
          </div>
          {isLocalOnly(made.command) ? (
            <p className={own.warning}>{t('operatorRegions.localOnly')}</p>
          ) : (
            <p className={own.text}>{t('operatorRegions.step.tokenFile')}</p>
          )}
        </li>
        <li>
          <h3 className={own.title}>{t('operatorRegions.step.wait')}</h3>
          <ProbeArrival slug={slug} tokenId={made.id} known={known} />
        </li>
      </ol>
      <div className={styles.actions}>
        <Button onClick={onDone}>{t('operatorRegions.kept')}</Button>
      </div>
    </div>
  );
}
