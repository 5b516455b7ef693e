import { Alert, Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listWebhooks, rotateWebhookSecret } from '#src/notifications/contract.ts';
import { call } from '#web/call.ts';
import { everyRead, queryClient } from '#web/read.ts';
import styles from '#web/ui/Form.module.css';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import { SecretOnce } from './SecretOnce.tsx';

type Props = { opened: boolean; orgId: string; targetId: string; onClose: () => void };

/** Asks first, since the old secret is void at once; then shows the new one. */
export function RotateSecret({ opened, orgId, targetId, onClose }: Props) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const rotate = useMutation({
    mutationFn: () => call(rotateWebhookSecret, { params: { org_id: orgId, target_id: targetId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: everyRead(listWebhooks) }),
  });

  function close() {
    rotate.reset();
    onClose();
  }

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('targets.rotate')}
      size="lg"
      closeOnClickOutside={!rotate.isSuccess}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      {rotate.isSuccess ? (
        <SecretOnce secret={rotate.data.secret} onDone={close} />
      ) : (
        <div className={styles.stack}>
          <p>{t('targets.rotateText')}</p>
          {rotate.isError ? (
            <Alert color="red" role="alert">
              {sentence(rotate.error)}
            </Alert>
          ) : null}
          <div className={styles.actions}>
            <Button variant="default" onClick={close}>
              {t('ui.cancel')}
            </Button>
            <Button variant="danger" loading={rotate.isPending} onClick={() => rotate.mutate()}>
              {t('targets.rotate')}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
