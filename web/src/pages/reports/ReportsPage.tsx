import { Alert, Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload, IconFileTypePdf } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import { getReport, type Report, type ReportQuery } from '#src/reports/contract.ts';
import { AsCode } from '#web/as-code/AsCode.tsx';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import { unknownProject } from '../monitors/all/search.ts';
import { BROWSER_ZONE } from '../on-call/zones.ts';
import { MailedReport } from './MailedReport.tsx';
import { ReportedIncidents } from './ReportedIncidents.tsx';
import { ReportedMonitors } from './ReportedMonitors.tsx';
import styles from './ReportsPage.module.css';
import { ReportTools } from './ReportTools.tsx';
import { dayAt, periodOf, type ReportSearch, readReportSearch } from './search.ts';
import { useDownload } from './use-download.ts';
import { usePeriodWords } from './use-period-words.ts';

/** Uptime and incidents of a period, on screen and as files. */
export default function ReportsPage() {
  const { t, i18n } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/o/$orgId/reports' });
  const zone = search.zone ?? BROWSER_ZONE;
  const period = search.period ?? periodOf('month', dayAt(Date.now(), zone));
  const subject = {
    ...(search.project && { project_id: search.project }),
    ...(search.tag && { tag: search.tag }),
    ...(search.page && { status_page_id: search.page }),
  };
  const query: ReportQuery = { period, timezone: zone, ...subject };
  const { projects, query: projectsQuery } = useChosenProject();
  const isUnknown = unknownProject(search, projects) !== undefined;
  const report = useQuery({
    ...read(getReport, { params: { org_id: orgId }, query }),
    placeholderData: keepPreviousData,
    // A report of a project waits until the projects are known.
    enabled: search.project === undefined || !(projectsQuery.isPending || isUnknown),
  });
  const download = useDownload(orgId, query, i18n.language === 'de' ? 'de' : 'en');
  const sentence = useRefusalSentence();
  const choose = (next: ReportSearch) =>
    void navigate({ to: '/o/$orgId/reports', params: { orgId }, search: next, replace: true });

  return (
    <>
      <PageHead title={t('reports.title')} below={t('reports.lead')}>
        <div className={styles.actions}>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                data-lead="report-csv"
                variant="default"
                loading={download.making === 'csv'}
                leftSection={<IconDownload size={16} aria-hidden="true" />}
                rightSection={<IconChevronDown size={14} aria-hidden="true" />}
              >
                {t('reports.csv')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => void download.csv('monitors')}>{t('reports.csvMonitors')}</Menu.Item>
              <Menu.Item onClick={() => void download.csv('incidents')}>
                {t('reports.csvIncidents')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Button
            data-lead="report-pdf"
            loading={download.making === 'pdf'}
            leftSection={<IconFileTypePdf size={16} aria-hidden="true" />}
            onClick={() => void download.pdf()}
          >
            {t('reports.pdf')}
          </Button>
        </div>
      </PageHead>
      <ReportTools search={search} period={period} zone={zone} onChoose={choose} />
      {download.error === null ? null : (
        <Alert color="red" role="alert" mb={16}>
          {sentence(download.error)}
        </Alert>
      )}
      {isUnknown ? (
        <Empty title={t('allMonitors.unknownProject')} text={t('reports.unknownProject')}>
          <Button variant="default" onClick={() => choose(readReportSearch({ ...search, project: '' }))}>
            {t('reports.everything')}
          </Button>
        </Empty>
      ) : report.isPending ? (
        <LoadingRows count={8} height={44} />
      ) : null}
      {report.isError ? <Failure error={report.error} retry={report.refetch} /> : null}
      {report.isSuccess && !isUnknown ? (
        <div className={styles.report} aria-busy={report.isPlaceholderData}>
          <Head report={report.data} />
          {report.data.monitors.length === 0 ? (
            <Empty title={t('reports.none')} text={t('reports.noneText')} />
          ) : (
            <>
              <Together report={report.data} />
              <ReportedMonitors report={report.data} />
            </>
          )}
          {report.data.incidents === null ? null : (
            <ReportedIncidents
              incidents={report.data.incidents}
              count={report.data.incident_count ?? 0}
              zone={report.data.timezone}
            />
          )}
        </div>
      ) : null}
      {report.isSuccess && !isUnknown ? <MailedReport subject={subject} zone={zone} /> : null}
      {report.isSuccess && !isUnknown ? (
        <AsCode operation={getReport} request={{ params: { org_id: orgId }, query }} shown={report.data} />
      ) : null}
    </>
  );
}

function Head({ report }: { report: Report }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = usePeriodWords();
  const { subject, period, timezone, is_over: isOver, to_unix: until, kept_since_unix: kept } = report;
  return (
    <div className={styles.head}>
      <h2 className={styles.subject}>
        {subject.kind === 'organization'
          ? `${isolated(subject.name)} · ${t('reports.everything')}`
          : subject.name}
        {period === null ? null : <span className={styles.period}>{words(period)}</span>}
      </h2>
      <p className={styles.note}>
        {[
          isOver ? null : t('reports.soFar', { time: formats.inZone(until, timezone) }),
          kept === null ? null : t('reports.keptSince', { time: formats.date(kept) }),
          t('reports.zoneNote', { zone: timezone.replaceAll('_', ' ') }),
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </p>
    </div>
  );
}

/** The totals, with the most important figure first and large. */
function Together({ report: { totals } }: { report: Report }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const lasting = (seconds: number) => (seconds === 0 ? '–' : formats.duration(seconds));
  const figures: [word: string, value: string, hint?: string][] = [
    [t('reports.downtime'), lasting(totals.downtime_seconds), t('reports.downtimeHint')],
    [t('reports.incidentCount'), formats.integer(totals.incidents)],
    [t('reports.longest'), lasting(totals.longest_downtime_seconds), t('reports.longestHint')],
    [t('reports.maintenance'), lasting(totals.maintenance_seconds), t('reports.maintenanceHint')],
    [t('reports.unknown'), lasting(totals.unknown_seconds), t('reports.unknownHint')],
    [t('reports.discarded'), lasting(totals.discarded_seconds), t('reports.discardedHint')],
  ];
  const uptime = totals.uptime_time_pct;
  return (
    <dl className={styles.figures} aria-label={t('reports.figures')}>
      <div className={styles.first} title={t('reports.uptimeHint')}>
        <dt>{t('reports.uptime')}</dt>
        <dd>{uptime === null ? t('reports.noData') : formats.percent(uptime)}</dd>
      </div>
      {figures.map(([word, value, hint]) => (
        <div key={word} title={hint}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
