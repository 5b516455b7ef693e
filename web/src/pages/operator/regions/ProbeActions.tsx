import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Probe, removeProbe, updateProbe } from '#src/regions/contract.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './ProbeActions.module.css';

/** Actions on a probe: admit or refuse a waiting one, shut out an active one, forget one that is gone. */
export function ProbeActions({ slug, probe }: { slug: string; probe: Probe }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'refuse' | 'remove' | null>(null);
  const write = useWrite({ show: inNote });
  const { probe_id, admission, online } = probe;
  const params = { region_slug: slug, probe_id };
  const admit = () => write.run(() => send(updateProbe, { params, body: { admission: 'admitted' } }));

  async function confirmed() {
    if (asking === 'remove') await send(removeProbe, { params });
    else await send(updateProbe, { params, body: { admission: 'refused' } });
  }

  const act = (what: 'admit' | 'refuse' | 'remove', onClick: () => void) => (
    <Button
      size="xs"
      variant={what === 'admit' && admission === 'waiting' ? 'filled' : 'default'}
      aria-label={t(`operatorRegions.${what}Of`, { probe: probe_id })}
      loading={what === 'admit' && write.busy}
      onClick={onClick}
    >
      {t(`operatorRegions.${what}`)}
    </Button>
  );
  return (
    <span className={styles.acts}>
      {admission === 'admitted' ? null : act('admit', () => void admit())}
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
