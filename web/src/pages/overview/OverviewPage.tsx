import { Button } from '@mantine/core';
import { IconAlertTriangle, IconBellRinging, IconCheck, IconDeviceTv, IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getOverview, type Overview } from '#src/overview/contract.ts';
import { useFormats } from '#web/format.ts';
import { usePageTitle } from '#web/page-title.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { FirstSteps } from '../monitors/FirstSteps.tsx';
import { useFirstSteps } from '../monitors/use-first-steps.ts';
import { Cards } from './Cards.tsx';
import { Field } from './Field.tsx';
import { monthName } from './month-name.ts';
import { OpenIncidents } from './OpenIncidents.tsx';
import styles from './OverviewPage.module.css';
import { sentenceOf, type Tone, toneOf } from './summary.ts';

/** For changes by time alone; the live stream reports all others. */
const READ_EVERY_MS = 120_000;
/** The uptime of a large organization is computed after the first response. */
const UPTIME_SOON_MS = 3_000;

/** The state of the organization on one screen. */
export default function OverviewPage() {
  const { t } = useTranslation();
  usePageTitle(t('overview.title'));
  const orgId = useOrgId();
  const overview = useQuery({
    ...read(getOverview, { params: { org_id: orgId } }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.uptime === null ? UPTIME_SOON_MS : READ_EVERY_MS,
  });
  const firstSteps = useFirstSteps(orgId);
  // The target of the navigation: this page stays until the next is loaded.
  const goingTo = useRouterState({ select: ({ location }) => location.pathname });
  if (overview.isError) return <Failure error={overview.error} retry={overview.refetch} />;
  if (overview.isPending || firstSteps.isPending) return <LoadingRows count={3} height={150} />;
  const { monitors, counts, open } = overview.data;
  // Without monitors there is no overview: the list creates the first.
  if (monitors === null || counts === null || (counts.monitors === 0 && !open?.total))
    return isOverview(goingTo) ? (
      <Navigate to="/o/$orgId/monitors" params={{ orgId }} replace />
    ) : (
      <LoadingRows count={3} height={150} />
    );
  return (
    <>
      <Hero overview={overview.data} counts={counts} />
      <FirstSteps orgId={orgId} of={firstSteps} />
      <div className={styles.parts}>
        {open !== null && open.total > 0 ? <OpenIncidents open={open} /> : null}
        <Field tiles={monitors} counts={counts} />
        <Cards overview={overview.data} tiles={monitors} />
      </div>
    </>
  );
}

const isOverview = (path: string) => path.replace(/\/$/, '').endsWith('/overview');

const MARKS: Record<Tone, typeof IconCheck> = {
  failed: IconBellRinging,
  doubtful: IconAlertTriangle,
  well: IconCheck,
  idle: IconEye,
};

function Hero({ overview, counts }: { overview: Overview; counts: NonNullable<Overview['counts']> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  const situation = { counts, open: overview.open };
  const tone = toneOf(situation);
  const Mark = MARKS[tone];
  const { uptime } = overview;
  return (
    <header className={styles.hero} data-tone={tone}>
      <span className={styles.mark}>
        <Mark size={30} stroke={1.9} aria-hidden="true" />
      </span>
      <div className={styles.words}>
        <h1 className={styles.sentence}>{sentenceOf(situation, { t, formats })}</h1>
        <p className={styles.below}>
          {uptime === null ? null : (
            <>
              {t('overview.uptime', { month: monthName(uptime.period, formats.language) })}{' '}
              <strong>{uptime.pct === null ? '–' : formats.percent(uptime.pct)}</strong>
            </>
          )}
        </p>
      </div>
      {mayManage ? (
        <Button
          variant="default"
          leftSection={<IconDeviceTv size={16} />}
          renderRoot={(props) => <Link {...props} to="/o/$orgId/overview/wall" params={{ orgId }} />}
        >
          {t('wall.open')}
        </Button>
      ) : null}
    </header>
  );
}
