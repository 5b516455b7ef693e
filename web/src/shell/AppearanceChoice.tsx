import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Light, dark, or as the device is set. */
export function AppearanceChoice({ labelledBy }: { labelledBy: string }) {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-labelledby={labelledBy}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as 'auto' | 'light' | 'dark')}
      data={(['auto', 'light', 'dark'] as const).map((value) => ({
        value,
        label: t(`shell.appearance.${value}`),
      }))}
    />
  );
}
