import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';

type Props = {
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
};

/** Loads the next page of a list, if there is one. */
export function ShowMore({ pages }: Props) {
  const { t } = useTranslation();
  if (!pages.hasNextPage) return null;
  return (
    <Group justify="center" mt={16}>
      <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {t('ui.more')}
      </Button>
    </Group>
  );
}
