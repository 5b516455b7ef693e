import { Button, Modal, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#src/platform/contract.ts';
import { type AdministeredRegion, createProbeToken } from '#src/regions/contract.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useHeldOpen } from '#web/ui/use-held-open.ts';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { ProbeCommand } from './ProbeCommand.tsx';

type Props = { region: AdministeredRegion; opened: boolean; onClose: () => void };

/** Creates a token for a new probe, shows the command to run, and waits for the probe. */
export function AddProbe({ region, opened, onClose }: Props) {
  const { t } = useTranslation();
  const { slug, name } = region;
  const [most, setMost] = useState(3);
  const write = useWrite<{ made: ReplyOf<typeof createProbeToken>; known: string[] }>();

  async function make() {
    const known = region.probes.filter((probe) => probe.online).map((probe) => probe.probe_id);
    const body = { max_probes: most };
    return { made: await send(createProbeToken, { params: { region_slug: slug }, body }), known };
  }

  const { close, hold } = useHeldOpen(() => {
    write.reset();
    onClose();
  });

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('operatorRegions.addProbeTo', { name })}
      size="lg"
      // The token is shown only once, so neither a click outside the dialog nor Escape may close it.
      closeOnClickOutside={write.reply === undefined}
      closeOnEscape={write.reply === undefined}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      {write.reply !== undefined ? (
        <ProbeCommand slug={slug} name={name} {...write.reply} onDone={close} />
      ) : (
        <div className={styles.stack}>
          <p>{t('operatorRegions.probeIs')}</p>
          <p>{t('operatorRegions.probeNeeds')}</p>
          <NumberInput
            label={t('operatorRegions.mostProbes')}
            description={t('operatorRegions.mostProbesHint')}
            value={most}
            min={1}
            max={1000}
            clampBehavior="strict"
            allowDecimal={false}
            onChange={(value) => setMost(Number(value) || 1)}
            maw={320}
          />
          <Refused write={write} />
          <div className={styles.actions}>
            <Button variant="default" onClick={close}>
              {t('ui.cancel')}
            </Button>
            <Button data-autofocus loading={write.busy} onClick={() => void write.run(() => hold(make))}>
              {t('operatorRegions.makeToken')}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
