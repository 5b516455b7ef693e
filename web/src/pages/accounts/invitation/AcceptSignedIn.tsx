import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import card from './Invitation.module.css';
import { useAccept } from './use-accept.ts';

type Props = { token: string; name: string; onSpent: () => void };

/** The invited person is already signed in: one button accepts. */
export function AcceptSignedIn({ token, name, onSpent }: Props) {
  const { t } = useTranslation();
  const accept = useAccept(token, onSpent);
  const write = useWrite();
  return (
    <div className={styles.stack}>
      <p className={card.text}>{t('invitation.signedInAs', { name })}</p>
      <Refused write={write} />
      <Button
        size="md"
        autoFocus
        loading={write.busy}
        disabled={write.waitSeconds > 0}
        onClick={() => void write.run(() => accept())}
      >
        {t('invitation.join')}
      </Button>
    </div>
  );
}
