import { Button } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { OperatorsOnly } from '../OperatorsOnly.tsx';
import { AddProbe } from './AddProbe.tsx';
import { EditRegion } from './EditRegion.tsx';
import { ProbesPanel } from './ProbesPanel.tsx';
import { RegionFacts } from './RegionFacts.tsx';
import styles from './RegionPage.module.css';
import { RegionStateWord } from './RegionWords.tsx';
import { TokensPanel } from './TokensPanel.tsx';
import { useRegions } from './use-regions.ts';

export default function RegionPage() {
  const { t } = useTranslation();
  return (
    <OperatorsOnly title={t('operatorRegions.title')}>
      <Found />
    </OperatorsOnly>
  );
}

function Found() {
  const { t } = useTranslation();
  const { slug } = useParams({ from: '/signed-in/operator/regions/$slug' });
  const regions = useRegions();
  if (regions.isPending) return <LoadingRows count={3} height={90} />;
  if (regions.isLoadingError) return <Failure error={regions.error} retry={regions.refetch} />;
  const region = regions.data.find((each) => each.slug === slug);
  if (region === undefined) {
    return (
      <>
        <PageHead title={t('operatorRegions.title')} />
        <Empty title={t('operatorRegions.gone')}>
          <Link to="/operator/regions">{t('operatorRegions.all')}</Link>
        </Empty>
      </>
    );
  }
  return <Region region={region} />;
}

function Region({ region }: { region: AdministeredRegion }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'edit' | 'probe' | null>(null);
  const close = () => setDialog(null);
  const addProbe = () => setDialog('probe');
  return (
    <>
      <PageHead
        title={region.name}
        above={<BackLink to="/operator/regions">{t('operatorRegions.title')}</BackLink>}
        below={
          <span className={styles.below}>
            <RegionStateWord region={region} />
            <span className={`mono ${styles.slug}`}>{region.slug}</span>
          </span>
        }
      >
        {region.probes.length === 0 ? null : (
          <Button leftSection={<IconPlus size={16} />} onClick={addProbe}>
            {t('operatorRegions.addProbe')}
          </Button>
        )}
        <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setDialog('edit')}>
          {t('ui.edit')}
        </Button>
      </PageHead>
      <div className={styles.page}>
        <RegionFacts region={region} />
        <ProbesPanel region={region} onAdd={addProbe} />
        <TokensPanel region={region} />
      </div>
      <EditRegion region={region} opened={dialog === 'edit'} onClose={close} />
      <AddProbe region={region} opened={dialog === 'probe'} onClose={close} />
    </>
  );
}
