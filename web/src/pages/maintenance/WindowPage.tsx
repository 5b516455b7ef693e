import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import { listMaintenance, type MaintenanceWindow } from '#src/maintenance/contract.ts';
import { AsCode } from '#web/as-code/AsCode.tsx';
import { useFormats } from '#web/format.ts';
import { BROWSER_ZONE, zoneName } from '#web/pages/on-call/zones.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useRepeatWords } from './use-repeat-words.ts';
import { useWindows } from './use-windows.ts';
import { WindowActions } from './WindowActions.tsx';
import styles from './WindowPage.module.css';
import { StateBadge, WindowTimes } from './WindowTimes.tsx';
import { stateOf, visibilityOf } from './window-state.ts';

export default function WindowPage() {
  const { t } = useTranslation();
  const { orgId, windowId } = useParams({ from: '/signed-in/o/$orgId/maintenance/$windowId' });
  const windows = useWindows(orgId);
  const window = windows.data?.find(({ id }) => id === windowId);
  if (window === undefined)
    return (
      <PagePlaceholder
        query={windows}
        isGone={windows.isSuccess}
        title={t('maintenance.title')}
        gone={t('maintenance.gone')}
        back={
          <BackLink to="/o/$orgId/maintenance" params={{ orgId }}>
            {t('maintenance.title')}
          </BackLink>
        }
      />
    );
  return <Shown orgId={orgId} window={window} />;
}

function Shown({ orgId, window }: { orgId: string; window: MaintenanceWindow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const words = useRepeatWords();
  const state = stateOf(window, now);
  const { scheduled_start: start, scheduled_end: end, monitors } = window;
  const effect = monitors.length === 0 && window.tags.length === 0 ? 'announcement' : state;
  return (
    <>
      <PageHead
        title={window.title}
        above={
          <BackLink to="/o/$orgId/maintenance" params={{ orgId }}>
            {t('maintenance.title')}
          </BackLink>
        }
        below={
          <span className={styles.below}>
            <StateBadge state={state} />
            <WindowTimes window={window} />
          </span>
        }
      >
        <WindowActions orgId={orgId} window={window} state={state} />
      </PageHead>
      <p className={styles.effect} data-state={state}>
        {t(`maintenance.effect.${effect}`)}
      </p>
      <dl className={styles.facts}>
        <div>
          <dt>{t('maintenance.length')}</dt>
          <dd>{formats.durationInWords(end - start)}</dd>
        </div>
        {state === 'upcoming' || state === 'active' ? (
          <div>
            <dt>{t(state === 'upcoming' ? 'maintenance.begins' : 'maintenance.ends')}</dt>
            <dd>{formats.until((state === 'upcoming' ? start : end) - now)}</dd>
          </div>
        ) : null}
        {window.repeat === null ? null : (
          <div>
            <dt>{t('maintenance.repeat.title')}</dt>
            <dd>{words(window.repeat)}</dd>
          </div>
        )}
        <div>
          <dt>{t('maintenance.visibility')}</dt>
          <dd>{t(`maintenance.${visibilityOf(window)}`)}</dd>
        </div>
        <div>
          <dt>{t('maintenance.zoneName')}</dt>
          <dd>{zoneName(BROWSER_ZONE)}</dd>
        </div>
      </dl>
      <div className={styles.parts}>
        {window.body === '' ? null : (
          <Panel title={t('maintenance.form.body')}>
            <p className={styles.body}>{window.body}</p>
          </Panel>
        )}
        <Panel title={t('maintenance.form.monitors')} flush>
          {window.tags.length === 0 ? null : (
            <p className={styles.none}>
              {t('maintenance.byTag', { tags: window.tags.map(isolated).join(', ') })}
            </p>
          )}
          {monitors.length === 0 && window.tags.length > 0 ? null : monitors.length === 0 ? (
            <p className={styles.none}>{t('maintenance.announcementOnly')}</p>
          ) : (
            <ul>
              {monitors.map(({ id, name }) => (
                <li key={id} className={styles.monitor}>
                  <Link to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId: id }}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </div>
      <AsCode operation={listMaintenance} request={{ params: { org_id: orgId } }} shown={window} />
    </>
  );
}
