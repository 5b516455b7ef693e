import { useTranslation } from 'react-i18next';
import { DomainConfig } from '#src/monitors/types/domain/config.ts';
import { DaysFields } from '#web/pages/monitors/form/DaysFields.tsx';
import { HostField } from '#web/pages/monitors/form/HostField.tsx';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';
import type { TypeFields } from '../type-form.ts';

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

export const fields: TypeFields = {
  Open,
  sections: { timing: () => <TimingFields schema={DomainConfig} /> },
};
