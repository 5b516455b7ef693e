import { Checkbox, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listRegions } from '../../../../../src/regions/contract.ts';
import { useFormats } from '../../../format.ts';
import { read } from '../../../read.ts';
import { Failure } from '../../../ui/Failure.tsx';
import styles from '../../../ui/Form.module.css';
import { LoadingRows } from '../../../ui/LoadingRows.tsx';
import own from './BasicsSection.module.css';
import { useMonitorForm } from './form-context.ts';

const INTERVALS = [1, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400];

/** What every monitor needs: where, how it is called, how often, and from where. */
export function BasicsSection() {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useMonitorForm();
  const chosen = Number(form.values.interval_seconds);
  const intervals = INTERVALS.includes(chosen) ? INTERVALS : [...INTERVALS, chosen].sort((a, b) => a - b);
  return (
    <div className={styles.stack}>
      <TextInput
        label={t('form.url')}
        placeholder="https://example.com/health"
        inputMode="url"
        spellCheck={false}
        autoFocus={form.values.config.url === ''}
        classNames={{ input: own.url }}
        {...form.getInputProps('config.url')}
      />
      <div className={styles.row}>
        <TextInput
          label={t('form.name')}
          placeholder={t('form.namePlaceholder')}
          {...form.getInputProps('name')}
        />
        <Select
          label={t('form.interval')}
          allowDeselect={false}
          data={intervals.map((seconds) => ({
            value: String(seconds),
            label: formats.durationInWords(seconds),
          }))}
          value={String(chosen)}
          onChange={(value) => form.setFieldValue('interval_seconds', Number(value))}
          error={form.errors.interval_seconds}
        />
      </div>
      <Regions />
    </div>
  );
}

function Regions() {
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
