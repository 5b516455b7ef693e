import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { OperatorsOnly } from '../OperatorsOnly.tsx';
import { CreateRegion } from './CreateRegion.tsx';
import { RegionRow } from './RegionRow.tsx';
import styles from './RegionsPage.module.css';
import { useRegions } from './use-regions.ts';

export default function RegionsPage() {
  const { t } = useTranslation();
  return (
    <OperatorsOnly title={t('operatorRegions.title')}>
      <Regions />
    </OperatorsOnly>
  );
}

/** The regions. With a single one, explains what more of them are for. */
function Regions() {
  const { t } = useTranslation();
  const [creating, creation] = useDisclosure(false);
  const regions = useRegions();
  const list = regions.data ?? [];
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
      {t('operatorRegions.new')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('operatorRegions.title')} below={t('operatorRegions.lead')}>
        {list.length > 1 ? create : null}
      </PageHead>
      {regions.isPending ? <LoadingRows count={3} height={64} /> : null}
      {regions.isLoadingError ? <Failure error={regions.error} retry={regions.refetch} /> : null}
      {list.length === 0 ? null : (
        <ul className={styles.list} aria-label={t('operatorRegions.title')}>
          {list.map((region) => (
            <RegionRow key={region.slug} region={region} />
          ))}
        </ul>
      )}
      {regions.isSuccess && list.length <= 1 ? (
        <Empty title={t('operatorRegions.oneTitle')} text={t('operatorRegions.oneText')}>
          {create}
        </Empty>
      ) : null}
      <CreateRegion opened={creating} onClose={creation.close} />
    </>
  );
}
