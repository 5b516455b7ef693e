import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { createApiKey } from '#src/api-keys/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { AdministratorsOnly } from '#web/shell/AdministratorsOnly.tsx';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { KeyForm } from './KeyForm.tsx';
import { KeyShownOnce } from './KeyShownOnce.tsx';
import styles from './NewApiKeyPage.module.css';

export default function NewApiKeyPage() {
  return (
    <AdministratorsOnly page="apiKeys">
      <NewApiKey />
    </AdministratorsOnly>
  );
}

/** The form; after saving, the key in its place, shown only once. */
function NewApiKey() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const [made, setMade] = useState<ReplyOf<typeof createApiKey> | null>(null);
  return (
    <div className={styles.page}>
      <PageHead
        title={t(made === null ? 'keys.new' : 'keys.onceTitle')}
        above={
          <BackLink to="/o/$orgId/settings/api-keys" params={{ orgId }}>
            {t('keys.title')}
          </BackLink>
        }
      />
      {made === null ? <KeyForm onMade={setMade} /> : <KeyShownOnce made={made} />}
    </div>
  );
}
