import { Radio, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ACCESS_MODES, type AccessMode } from '#src/domain/names.ts';
import choice from '#web/pages/members/InvitePerson.module.css';
import styles from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import type { Editor } from '../editor/use-page-draft.ts';
import { PlanSentence } from '../PlanSentence.tsx';
import { accessModeOf } from '../page-access.ts';
import { usePlanCapability } from '../use-plan-capability.ts';
import own from './Access.module.css';

const isPrivate = (mode: AccessMode) => mode === 'shared_password' || mode === 'viewer_login';

/** Who can see the page. Choosing an audience publishes a draft. */
export function AccessPart({ orgId, editor }: { orgId: string; editor: Editor }) {
  const { t } = useTranslation();
  const mayBePrivate = usePlanCapability(orgId, 'private_status_pages');
  const { draft, change, problems, tried, write, detail } = editor;
  const { mode, enabled } = draft.settings;
  const stored = accessModeOf(detail.page);
  return (
    <Panel title={t('statusPages.who.title')}>
      <div className={styles.stack}>
        <Radio.Group
          aria-label={t('statusPages.who.title')}
          value={mode}
          error={
            tried && problems.mode
              ? t('statusPages.who.passwordNeeded')
              : (write.at('access_mode') ?? write.at('password_protected'))
          }
          onChange={(value) => {
            const next = ACCESS_MODES.find((each) => each === value) ?? mode;
            // Publishing a draft also turns the page on, whatever the switch was before.
            change({ mode: next, ...(stored === 'draft' && next !== 'draft' ? { enabled: true } : {}) });
          }}
        >
          <div className={choice.roles}>
            {ACCESS_MODES.map((each) => (
              <Radio.Card
                key={each}
                value={each}
                className={`${choice.role} ${own.mode}`}
                // A page keeps its mode when the plan shrinks.
                disabled={isPrivate(each) && !mayBePrivate && each !== stored}
              >
                <Radio.Indicator />
                <span className={choice.words}>
                  <span className={choice.name}>{t(`statusPages.access.${each}`)}</span>
                  <span className={choice.does}>{t(`statusPages.who.${each}`)}</span>
                </span>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
        {mayBePrivate ? null : <PlanSentence orgId={orgId} text={t('statusPages.who.plan')} />}
        {mode === 'draft' ? null : (
          <div className={own.offline}>
            <Switch
              label={t('statusPages.who.enabled')}
              description={t(enabled ? 'statusPages.who.enabledHint' : 'statusPages.who.offHint')}
              checked={enabled}
              onChange={(event) => change({ enabled: event.currentTarget.checked })}
            />
          </div>
        )}
      </div>
    </Panel>
  );
}
