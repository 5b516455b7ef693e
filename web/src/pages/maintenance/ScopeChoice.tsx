import { Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MAINTENANCE_SCOPES, type MaintenanceScope } from '#src/domain/names.ts';

type Props = { scope: MaintenanceScope; onChange: (scope: MaintenanceScope) => void };

/** Which occurrences of a recurring window a change applies to. */
export function ScopeChoice({ scope, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('maintenance.scope.title')}
      value={scope}
      onChange={(value) => onChange(value as MaintenanceScope)}
    >
      <Stack gap={8} mt={6}>
        {MAINTENANCE_SCOPES.map((value) => (
          <Radio key={value} value={value} label={t(`maintenance.scope.${value}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
