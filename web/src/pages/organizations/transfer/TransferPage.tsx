import { useTranslation } from 'react-i18next';
import { AdministratorsOnly } from '#web/shell/AdministratorsOnly.tsx';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { PageHead } from '#web/ui/PageHead.tsx';
import { ExportPanel } from './ExportPanel.tsx';
import { ImportPanel } from './ImportPanel.tsx';
import styles from './TransferPage.module.css';

/** Exports the organization to a file, and imports the configuration of one. */
export default function TransferPage() {
  return (
    <AdministratorsOnly page="transfer">
      <Transfer />
    </AdministratorsOnly>
  );
}

function Transfer() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  return (
    <>
      <PageHead title={t('transfer.title')} below={t('transfer.lead')} />
      <div className={styles.page}>
        <ExportPanel key={`out ${orgId}`} orgId={orgId} />
        <ImportPanel key={`in ${orgId}`} orgId={orgId} />
      </div>
    </>
  );
}
