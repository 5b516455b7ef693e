import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { deleteLogo, deleteLogoDark, setLogo, setLogoDark } from '#src/status-pages/logo-contract.ts';
import styles from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import { send, upload } from '#web/write.ts';
import type { Editor } from '../editor/use-page-draft.ts';
import { PlanSentence } from '../PlanSentence.tsx';
import { usePlanCapability } from '../use-plan-capability.ts';
import own from './AppearancePart.module.css';
import { LogoField } from './LogoField.tsx';
import { useLogos } from './use-logos.ts';

/** The logos, which are saved at once, and the switch for "made with Tocsin". */
export function AppearancePart({ orgId, editor }: { orgId: string; editor: Editor }) {
  const { t } = useTranslation();
  const mayHide = usePlanCapability(orgId, 'white_label');
  const { detail, draft, change } = editor;
  const params = { id: detail.page.id };
  const { light, dark } = useLogos(detail);
  const { hidesBrand } = draft.settings;
  return (
    <>
      <Panel title={t('statusPages.look.logos')}>
        <p className={own.lead}>{t('statusPages.look.logosLead')}</p>
        <div className={own.logos}>
          <LogoField
            ground="light"
            own={detail.has_logo}
            seen={light ?? null}
            onUpload={(file) => upload(setLogo, { params }, file)}
            onRemove={() => send(deleteLogo, { params })}
          />
          <LogoField
            ground="dark"
            own={detail.has_logo_dark}
            // Without its own logo the dark page shows the other one.
            seen={(detail.has_logo_dark ? dark : light) ?? null}
            onUpload={(file) => upload(setLogoDark, { params }, file)}
            onRemove={() => send(deleteLogoDark, { params })}
          />
        </div>
      </Panel>
      <Panel title={t('plan.capability.white_label')}>
        <div className={styles.stack}>
          <Switch
            label={t('statusPages.look.hideBrand')}
            description={t('statusPages.look.hideBrandHint')}
            checked={hidesBrand}
            // A setting that is on can always be turned off.
            disabled={!mayHide && !hidesBrand}
            onChange={(event) => change({ hidesBrand: event.currentTarget.checked })}
          />
          {mayHide ? null : <PlanSentence orgId={orgId} text={t('statusPages.look.hideBrandPlan')} />}
        </div>
      </Panel>
    </>
  );
}
