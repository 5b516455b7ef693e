import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { type AdministeredRegion, listAdministeredRegions, updateRegion } from '#src/regions/contract.ts';
import { changedOf } from '#web/meanwhile/clashes.ts';
import type { Meanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { queryClient, read } from '#web/read.ts';
import { FormModal } from '#web/ui/FormModal.tsx';
import { useWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { RegionForm } from './RegionForm.tsx';
import { type RegionValues, valuesOf } from './region-values.ts';

type Props = { region: AdministeredRegion; opened: boolean; onClose: () => void };

/** Changes a region; running probes receive the new settings at once. */
export function EditRegion({ region, opened, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={t('operatorRegions.edit', { name: region.name })}
      size="lg"
    >
      {(cancel) => <ChangedRegion region={region} onSaved={onClose} onCancel={cancel} />}
    </FormModal>
  );
}

type FormProps = { region: AdministeredRegion; onSaved: () => void; onCancel: () => void };

/** Mounted anew at each opening of the dialog. */
function ChangedRegion({ region, onSaved, onCancel }: FormProps) {
  const { t } = useTranslation();
  const close = useWhileShown(onSaved);

  /** Sends what the reader changed, unless somebody else has changed the same. */
  async function save(values: RegionValues, { base, admits }: Meanwhile<RegionValues>) {
    const regions = await queryClient.fetchQuery({ ...read(listAdministeredRegions, {}), staleTime: 0 });
    const { slug } = region;
    const now = regions.find((each) => each.slug === slug);
    if (now !== undefined && !admits(values, valuesOf(now))) return;
    const body = changedOf(base, values);
    const saved = await send(updateRegion, { params: { region_slug: slug }, body });
    notifications.show({ message: t('operatorRegions.saved', { name: saved.name }) });
    close();
  }

  return (
    <RegionForm
      initial={valuesOf(region)}
      stored={valuesOf(region)}
      exists
      privateTargetsBy={region.private_targets_by}
      privateResponsesBy={region.private_responses_by}
      submitLabel={t('ui.save')}
      onSubmit={save}
      onCancel={onCancel}
    />
  );
}
