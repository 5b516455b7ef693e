import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { createApiKey } from '#src/api-keys/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { CopyBlock } from '#web/ui/CopyBlock.tsx';
import { CopyField } from '#web/ui/CopyField.tsx';
import stack from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './ApiKeys.module.css';
import { curlExample } from './curl-example.ts';
import { KeyResources } from './KeyResources.tsx';
import { ScopeChips } from './ScopeChips.tsx';

/** Shows a new key once, with a request to try it. */
export function KeyShownOnce({ made }: { made: ReplyOf<typeof createApiKey> }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const example = curlExample(made, orgId, location.origin);
  return (
    <Panel title={made.name}>
      <div className={stack.stack}>
        <p>{t('keys.onceText')}</p>
        <CopyField label={t('keys.key')} value={made.key} />
        <div>
          <ScopeChips scopes={made.scopes} />
          <KeyResources apiKey={made} />
        </div>
        {example === null ? null : (
          <div>
            <h3 className={styles.example}>{t('keys.example')}</h3>
            <CopyBlock label={t('keys.exampleLabel')} text={example} />
          </div>
        )}
        <div className={stack.actions}>
          <Button
            renderRoot={(props) => <Link {...props} to="/o/$orgId/settings/api-keys" params={{ orgId }} />}
          >
            {t('keys.kept')}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
