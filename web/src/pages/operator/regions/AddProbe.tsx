import { Alert, Button, Modal, NumberInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AdministeredRegion, createProbeToken } from '#src/regions/contract.ts';
import { call } from '#web/call.ts';
import styles from '#web/ui/Form.module.css';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import { ProbeCommand } from './ProbeCommand.tsx';
import { reloadRegions } from './use-regions.ts';

type Props = { region: AdministeredRegion; opened: boolean; onClose: () => void };

/** Makes a token for one more probe, then says what to do with it and waits for the probe. */
export function AddProbe({ region, opened, onClose }: Props) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const { slug, name } = region;
  const [most, setMost] = useState(3);
  const make = useMutation({
    mutationFn: async () => {
      const known = region.probes.filter((probe) => probe.online).map((probe) => probe.probe_id);
      return {
        made: await call(createProbeToken, { params: { region_slug: slug }, body: { max_probes: most } }),
        known,
      };
    },
    onSuccess: reloadRegions,
  });

  function close() {
    make.reset();
    onClose();
  }

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('operatorRegions.addProbeTo', { name })}
      size="lg"
      // The token is shown once: neither a click beside the dialog nor the escape key must lose it.
      closeOnClickOutside={!make.isSuccess}
      closeOnEscape={!make.isSuccess}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      {make.isSuccess ? (
        <ProbeCommand slug={slug} name={name} made={make.data.made} known={make.data.known} onDone={close} />
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
          {make.isError ? (
            <Alert color="red" role="alert">
              {sentence(make.error)}
            </Alert>
          ) : null}
          <div className={styles.actions}>
            <Button variant="default" onClick={close}>
              {t('ui.cancel')}
            </Button>
            <Button data-autofocus loading={make.isPending} onClick={() => make.mutate()}>
              {t('operatorRegions.makeToken')}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
