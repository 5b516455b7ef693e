import { Button, Checkbox } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import form from '#web/ui/Form.module.css';
import styles from './RecoveryCodes.module.css';

/** Downloads the codes as a text file in the reader's language. */
function download(text: string, host: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `tocsin-recovery-codes-${host}.txt`;
  link.click();
  URL.revokeObjectURL(url);
}

type Props = { email: string; codes: readonly string[]; onDone: () => void };

/** Shows the recovery codes once; the next step unlocks when the reader confirms that they are stored. */
export function RecoveryCodes({ email, codes, onDone }: Props) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 2_500 });
  const [kept, setKept] = useState(false);
  const host = window.location.host;
  const file = `${t('security.recovery.fileHead', { email, host })}\n\n${codes.join('\n')}\n`;
  return (
    <div className={form.stack}>
      <p>{t('security.recovery.text')}</p>
      <ul className={styles.codes} aria-label={t('security.recovery.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.take}>
        <Button
          variant="default"
          leftSection={clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => clipboard.copy(codes.join('\n'))}
        >
          {t(clipboard.copied ? 'ui.copied' : 'ui.copy')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => download(file, host.replace(':', '-'))}
        >
          {t('security.recovery.download')}
        </Button>
        <span className="visually-hidden" aria-live="polite">
          {clipboard.copied ? t('ui.copied') : ''}
        </span>
      </div>
      <div className={styles.end}>
        <Checkbox
          label={t('security.recovery.kept')}
          checked={kept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        <Button disabled={!kept} onClick={onDone}>
          {t('security.recovery.done')}
        </Button>
      </div>
    </div>
  );
}
