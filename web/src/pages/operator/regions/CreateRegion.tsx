import { useTranslation } from 'react-i18next';
import { createRegion } from '#src/regions/contract.ts';
import { FormModal } from '#web/ui/FormModal.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { RegionForm } from './RegionForm.tsx';
import { NEW_REGION, type RegionValues } from './region-values.ts';

/** Creates a region and opens its page, where the first probe is added. */
export function CreateRegion({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormModal opened={opened} onClose={onClose} title={t('operatorRegions.new')} size="lg">
      {(cancel) => <NewRegion onCancel={cancel} />}
    </FormModal>
  );
}

/** Mounted anew at each opening of the dialog. */
function NewRegion({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigateWhileShown();

  async function create(values: RegionValues) {
    const { slug } = await send(createRegion, { body: values });
    await navigate({ to: '/operator/regions/$slug', params: { slug } });
  }

  return (
    <RegionForm
      initial={NEW_REGION}
      exists={false}
      submitLabel={t('operatorRegions.create')}
      onSubmit={create}
      onCancel={onCancel}
    />
  );
}
