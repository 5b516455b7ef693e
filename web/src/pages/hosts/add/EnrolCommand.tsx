import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { createEnrollmentToken } from '#src/agents/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { useFormats } from '#web/format.ts';
import { isLocalOnly } from '#web/pages/operator/regions/local-only.ts';
import steps from '#web/pages/operator/regions/ProbeCommand.module.css';
import { CopyBlock } from '#web/ui/CopyBlock.tsx';
import styles from '#web/ui/Form.module.css';
import own from './EnrolCommand.module.css';
import { HostArrivals } from './HostArrivals.tsx';

type Props = { made: ReplyOf<typeof createEnrollmentToken>; onDone: () => void };

/** Shows a new command once: where to run it, and each host as soon as it enrols. */
export function EnrolCommand({ made, onDone }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const until = formats.dateAndTime(made.expires_at_unix);
  return (
    <div className={styles.stack}>
      <ol className={steps.steps}>
        <li>
          <h3 className={steps.title}>{t('hosts.enrol.run', { count: made.uses })}</h3>
          <p className={steps.text}>{t('hosts.enrol.runText', { count: made.uses, until })}</p>
          <div className={steps.command}>
            <CopyBlock label={t('hosts.enrol.command')} text={made.command} />
          </div>
          {isLocalOnly(made.command) ? <p className={steps.warning}>{t('hosts.enrol.localOnly')}</p> : null}
          <details className={own.more}>
            <summary>{t('hosts.enrol.checked')}</summary>
            <p className={steps.text}>{t('hosts.enrol.checkedText')}</p>
            <div className={steps.command}>
              <CopyBlock label={t('hosts.enrol.checkedCommand')} text={made.checked_command} />
            </div>
          </details>
        </li>
        <li>
          <h3 className={steps.title}>{t('hosts.enrol.wait')}</h3>
          <HostArrivals uses={made.uses} since={made.created_at_unix} />
        </li>
      </ol>
      <div className={styles.actions}>
        <Button variant="default" onClick={onDone}>
          {t('hosts.enrol.done')}
        </Button>
      </div>
    </div>
  );
}
