import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Probe, removeProbe, updateProbe } from '#src/regions/contract.ts';
import { call } from '#web/call.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import styles from './ProbeActs.module.css';
import { reloadRegions } from './use-regions.ts';

/** Who may check from a region: one that waits is admitted or refused, one that is there is shut out, one that is gone is forgotten. */
export function ProbeActs({ slug, probe }: { slug: string; probe: Probe }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'refuse' | 'remove' | null>(null);
  const sentence = useRefusalSentence();
  const { probe_id, admission, online } = probe;
  const params = { region_slug: slug, probe_id };
  const admit = useMutation({
    mutationFn: () => call(updateProbe, { params, body: { admission: 'admitted' } }),
    onError: (error) => notifications.show({ color: 'red', message: sentence(error) }),
    onSettled: reloadRegions,
  });

  async function confirmed() {
    if (asking === 'remove') await call(removeProbe, { params });
    else await call(updateProbe, { params, body: { admission: 'refused' } });
    await reloadRegions();
  }

  const act = (what: 'admit' | 'refuse' | 'remove', onClick: () => void) => (
    <Button
      size="xs"
      variant={what === 'admit' && admission === 'waiting' ? 'filled' : 'default'}
      aria-label={t(`operatorRegions.${what}Of`, { probe: probe_id })}
      loading={what === 'admit' && admit.isPending}
      onClick={onClick}
    >
      {t(`operatorRegions.${what}`)}
    </Button>
  );
  return (
    <span className={styles.acts}>
      {admission === 'admitted' ? null : act('admit', () => admit.mutate())}
      {admission === 'refused' || (admission === 'admitted' && !online)
        ? act('remove', () => setAsking('remove'))
        : act('refuse', () => setAsking('refuse'))}
      <Confirm
        opened={asking !== null}
        title={t(`operatorRegions.${asking ?? 'refuse'}Title`, { probe: probe_id })}
        text={t(`operatorRegions.${asking ?? 'refuse'}Text`)}
        confirm={t(`operatorRegions.${asking ?? 'refuse'}`)}
        onConfirm={confirmed}
        onClose={() => setAsking(null)}
      />
    </span>
  );
}
