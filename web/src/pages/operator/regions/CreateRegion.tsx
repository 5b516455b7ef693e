import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createRegion } from '#src/regions/contract.ts';
import { FormModal } from '#web/ui/FormModal.tsx';
import { send } from '#web/write.ts';
import { RegionForm } from './RegionForm.tsx';
import { NEW_REGION, type RegionValues } from './region-values.ts';

/** Creates a region and opens its page, where the first probe is added. */
export function CreateRegion({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();

  async function create(values: RegionValues) {
    const made = await send(createRegion, { body: values });
    onClose();
    await navigate({ to: '/operator/regions/$slug', params: { slug: made.slug } });
  }

  return (
    <FormModal opened={opened} onClose={onClose} title={t('operatorRegions.new')} size="lg">
      {(cancel) => (
        <RegionForm
          initial={NEW_REGION}
          exists={false}
          submitLabel={t('operatorRegions.create')}
          onSubmit={create}
          onCancel={cancel}
        />
      )}
    </FormModal>
  );
}
