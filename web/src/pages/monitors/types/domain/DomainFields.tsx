import { useTranslation } from 'react-i18next';
import { DaysFields } from '#web/pages/monitors/form/DaysFields.tsx';
import type { KindFields } from '#web/pages/monitors/form/fields-of-kind.ts';
import { HostField } from '#web/pages/monitors/form/HostField.tsx';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';

function Open() {
  const { t } = useTranslation();
  return (
    <>
      <HostField
        at="domain"
        label={t('fields.domain.name')}
        placeholder="example.com"
        hint={t('fields.domain.hint')}
      />
      <DaysFields />
    </>
  );
}

export const domainFields: KindFields = {
  Open,
  folds: { timing: () => <TimingFields usualMs={20_000} /> },
};
