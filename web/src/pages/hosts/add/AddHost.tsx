import { Button, Modal, NumberInput, Select, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createEnrollmentToken } from '#src/agents/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useHeldOpen } from '#web/ui/use-held-open.ts';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { EnrolCommand } from './EnrolCommand.tsx';
import { ValidCommands } from './ValidCommands.tsx';

/** For how long a command stays valid, in seconds. */
const LENGTHS = [3_600, 28_800, 86_400, 604_800] as const;

/** Creates a command that enrols hosts for a while, then waits for them. */
export function AddHost({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const [labels, setLabels] = useState<string[]>([]);
  const [uses, setUses] = useState(1);
  const [seconds, setSeconds] = useState<number>(LENGTHS[0]);
  const write = useWrite<ReplyOf<typeof createEnrollmentToken>>();

  const { close, hold } = useHeldOpen(onClose);
  const body = { labels: labels.join(','), uses, expires_in_seconds: seconds };
  const make = () =>
    write.run(() => hold(() => send(createEnrollmentToken, { params: { org_id: orgId }, body })));

  return (
    <Modal
      opened
      onClose={close}
      title={t('hosts.add')}
      size="lg"
      // The command is shown only once, so neither a click outside the dialog nor Escape may close it.
      closeOnClickOutside={write.reply === undefined}
      closeOnEscape={write.reply === undefined}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      {write.reply !== undefined ? (
        <EnrolCommand made={write.reply} onDone={onClose} />
      ) : (
        <div className={styles.stack}>
          <p>{t('hosts.enrol.what')}</p>
          <TagsInput
            label={t('hosts.labels')}
            description={t('hosts.labelsHint')}
            placeholder={labels.length === 0 ? 'env=prod' : ''}
            splitChars={[',']}
            value={labels}
            onChange={setLabels}
            error={write.at('labels')}
          />
          <div className={styles.row}>
            <NumberInput
              label={t('hosts.enrol.uses')}
              description={t('hosts.enrol.usesHint')}
              value={uses}
              min={1}
              max={10_000}
              clampBehavior="strict"
              allowDecimal={false}
              onChange={(value) => setUses(Number(value) || 1)}
            />
            <Select
              label={t('hosts.enrol.lasts')}
              description={t('hosts.enrol.lastsHint')}
              allowDeselect={false}
              data={LENGTHS.map((each) => ({ value: String(each), label: formats.durationInWords(each) }))}
              value={String(seconds)}
              onChange={(value) => setSeconds(Number(value))}
            />
          </div>
          <Refused write={write} fields={['labels']} />
          <div className={styles.actions}>
            <Button variant="default" onClick={close}>
              {t('ui.cancel')}
            </Button>
            <Button data-autofocus loading={write.busy} onClick={() => void make()}>
              {t('hosts.enrol.make')}
            </Button>
          </div>
          <ValidCommands />
        </div>
      )}
    </Modal>
  );
}
