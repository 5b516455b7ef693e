import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MAINTENANCE_STATES } from '#src/domain/names.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { ReadOnly } from '#web/ui/ReadOnly.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { monthOf, readMonth, writeMonth } from './calendar.ts';
import styles from './MaintenancePage.module.css';
import { MonthCalendar } from './MonthCalendar.tsx';
import type { MaintenanceSearch } from './search.ts';
import { useWindows } from './use-windows.ts';
import { WindowRow } from './WindowRow.tsx';
import { firstOfEach, stateOf } from './window-state.ts';

/** Maintenance windows: a month of them, and all of them by state. */
export default function MaintenancePage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const now = useNow();
  const search = useSearch({ from: '/signed-in/o/$orgId/maintenance' });
  const windows = useWindows(orgId);
  const mayManage = useMayManage();
  const list = windows.data ?? [];
  const counts = Object.groupBy(list, (window) => stateOf(window, now));
  const state = search.state ?? (counts.active ? 'active' : 'upcoming');
  const shown = counts[state] ?? [];
  // The next window of a recurring one stands for all planned ones.
  const rows =
    state === 'upcoming' ? firstOfEach(shown.toReversed()) : shown.map((window) => ({ window, others: 0 }));
  const go = (next: MaintenanceSearch) =>
    void navigate({
      to: '/o/$orgId/maintenance',
      params: { orgId },
      search: { ...search, ...next },
      replace: true,
    });
  const plan = mayManage ? <PlanButton orgId={orgId} /> : <ReadOnly />;

  return (
    <>
      <PageHead title={t('maintenance.title')} below={t('maintenance.lead')}>
        {list.length === 0 ? null : plan}
      </PageHead>
      {windows.isPending ? <LoadingRows count={6} height={64} /> : null}
      {windows.isError ? <Failure error={windows.error} retry={windows.refetch} /> : null}
      {windows.isSuccess && list.length === 0 ? (
        <Empty title={t('maintenance.none')} text={t('maintenance.noneText')}>
          {plan}
        </Empty>
      ) : null}
      {list.length === 0 ? null : (
        <div className={styles.parts}>
          <MonthCalendar
            orgId={orgId}
            month={readMonth(search.month) ?? monthOf(new Date(now * 1_000))}
            windows={list}
            onMonth={(month) => go({ month: writeMonth(month) })}
          />
          <section aria-label={t('maintenance.all')}>
            <div className={styles.choice}>
              <SegmentedControl
                aria-label={t('maintenance.filter')}
                value={state}
                onChange={(value) => go({ state: value as (typeof MAINTENANCE_STATES)[number] })}
                data={MAINTENANCE_STATES.map((value) => ({
                  value,
                  label: `${t(`maintenance.state.${value}`)} ${counts[value]?.length ?? 0}`,
                }))}
              />
            </div>
            {shown.length === 0 ? (
              <Empty title={t(`maintenance.noneIn.${state}`)} />
            ) : (
              <ul className={styles.list}>
                {rows.map(({ window, others }) => (
                  <WindowRow key={window.id} orgId={orgId} window={window} others={others} />
                ))}
              </ul>
            )}
          </section>
        </div>
      )}
    </>
  );
}

function PlanButton({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => <Link {...props} to="/o/$orgId/maintenance/new" params={{ orgId }} />}
    >
      {t('maintenance.plan')}
    </Button>
  );
}
