import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { rotateWebhookSecret } from '#src/notifications/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useHeldOpen } from '#web/ui/use-held-open.ts';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { SecretShownOnce } from './SecretShownOnce.tsx';

type Props = { opened: boolean; orgId: string; targetId: string; onClose: () => void };

/** Asks first, since the old secret becomes invalid at once; then shows the new one. */
export function RotateSecret({ opened, orgId, targetId, onClose }: Props) {
  const { t } = useTranslation();
  const write = useWrite<ReplyOf<typeof rotateWebhookSecret>>();
  const { close, hold } = useHeldOpen(() => {
    write.reset();
    onClose();
  });
  const rotate = () =>
    write.run(() =>
      hold(() => send(rotateWebhookSecret, { params: { org_id: orgId, target_id: targetId } })),
    );

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('targets.rotate')}
      size="lg"
      closeOnClickOutside={write.reply === undefined}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      {write.reply !== undefined ? (
        <SecretShownOnce secret={write.reply.secret} onDone={close} />
      ) : (
        <div className={styles.stack}>
          <p>{t('targets.rotateText')}</p>
          <Refused write={write} />
          <div className={styles.actions}>
            <Button variant="default" onClick={close}>
              {t('ui.cancel')}
            </Button>
            <Button variant="danger" loading={write.busy} onClick={() => void rotate()}>
              {t('targets.rotate')}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
