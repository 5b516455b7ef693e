import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Placeholder rows while a list loads. */
export function LoadingRows({ count = 5, height = 44 }: { count?: number; height?: number }) {
  const { t } = useTranslation();
  return (
    <Stack gap={8} role="status" aria-label={t('ui.loading')}>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <Skeleton key={row} height={height} radius={6} />
      ))}
    </Stack>
  );
}
