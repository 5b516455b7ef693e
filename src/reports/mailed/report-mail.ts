// Pure: renders a report as a mail, with the same figures as its page.
import type { PageLanguage } from '#src/domain/names.ts';
import { layout, nameInMail } from '#src/platform/mail/layout.ts';
import { filled } from '#src/platform/page-language.ts';
import type { Report } from '../contract.ts';
import { reportFormats } from '../pdf/formats.ts';
import { REPORT_WORDS } from '../pdf/words.ts';
import { MAILED_WORDS } from './words.ts';

export type ReportMailLinks = {
  /** Address of the report in the dashboard. */
  report: string;
  unsubscribe: string;
};

/** Subject and both bodies. */
export function reportMail(report: Report, language: PageLanguage, links: ReportMailLinks) {
  const words = MAILED_WORDS[language];
  const named = REPORT_WORDS[language];
  const formats = reportFormats(report, language, named);
  const { totals } = report;
  const period = formats.period();
  const subject = subjectIn(report, language);
  const uptime = totals.uptime_time_pct;
  const figures: [name: string, value: string][] = [
    [named.downtime, formats.seconds(totals.downtime_seconds)],
    [named.incidentCount, String(totals.incidents)],
    [named.longest, formats.seconds(totals.longest_downtime_seconds)],
    [named.maintenance, formats.seconds(totals.maintenance_seconds)],
    [named.unknown, formats.seconds(totals.unknown_seconds)],
    [named.monitors, String(report.monitor_count)],
  ];
  const bodies = layout({
    language,
    title: filled(words.title, { period, subject }),
    paragraphs: [
      uptime === null ? words.leadUnknown : filled(words.lead, { uptime: formats.percent(uptime) }),
      words.attached,
    ],
    items: figures.map(([name, value]) => filled(words.figure, { name, value })),
    button: { label: words.open, url: links.report },
    links: [{ label: words.button, url: links.unsubscribe }],
    smallPrint: [filled(words.times, { zone: report.timezone.replaceAll('_', ' ') }), words.why],
  });
  return { subject: filled(words.subject, { subject, period }), ...bodies };
}

/** `Example`, `Project Shop`: the subject of the report, on one line. */
function subjectIn(
  { subject: { kind, name }, organization_name: organization }: Report,
  language: PageLanguage,
) {
  return kind === 'organization'
    ? nameInMail(organization)
    : filled(REPORT_WORDS[language].of[kind], { name: nameInMail(name) });
}
