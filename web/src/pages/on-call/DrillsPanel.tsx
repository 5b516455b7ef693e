import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listDrills } from '#src/on-call/drills/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import form from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import { useDrillWords } from './drills/use-drill-words.ts';
import styles from './OverridesPanel.module.css';

/** The result of the last fire drill, and a link to the next. */
export function DrillsPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useDrillWords();
  const orgId = useOrgId();
  const drills = useQuery(read(listDrills, { params: { org_id: orgId } }));
  const [last] = drills.data ?? [];
  return (
    <Panel title={t('drills.title')}>
      <div className={form.stack}>
        <p className={styles.lead}>{t('drills.panel')}</p>
        {drills.data === undefined ? null : (
          <p className={styles.none}>
            {last === undefined
              ? t('drills.never')
              : t('drills.last', {
                  when: formats.dateAndTime(last.started_at_unix),
                  outcome: words.outcome(last),
                })}
          </p>
        )}
        <div className={form.actions}>
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} to="/o/$orgId/on-call/drills" params={{ orgId }} />}
          >
            {t('drills.open')}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
