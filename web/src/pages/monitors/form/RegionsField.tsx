import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listRegions } from '#src/regions/contract.ts';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { useMonitorForm } from './form-context.ts';
import own from './Section.module.css';

/** The regions that check the monitor. */
export function RegionsField() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const regions = useQuery(read(listRegions, {}));
  if (regions.isPending) return <LoadingRows count={1} height={64} />;
  if (regions.isLoadingError) return <Failure error={regions.error} retry={regions.refetch} />;
  const usable = regions.data.filter(
    (region) => !region.internal || form.values.regions.includes(region.slug),
  );
  return (
    <Checkbox.Group
      label={t('form.regions')}
      description={t(usable.length > 1 ? 'form.regionsHint' : 'form.regionsHintOne')}
      {...form.getInputProps('regions')}
    >
      <div className={own.regions}>
        {usable.map((region) => (
          <Checkbox
            key={region.slug}
            value={region.slug}
            label={region.name}
            description={region.online ? undefined : t('form.regionOffline')}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
