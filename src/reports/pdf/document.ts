// A report as a PDF to hand on: A4, tagged, with its own fonts.
import { causeIn } from '#src/domain/cause-words.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { filled } from '#src/platform/page-language.ts';
import type { Report, ReportedIncident, ReportedMonitor } from '../contract.ts';
import { type ReportFormats, reportFormats } from './formats.ts';
import { BODY, INK, makeSheet, PAGE, type Part, QUIET, RIGHT, type Sheet, SMALL, WIDTH } from './sheet.ts';
import { type Cell, type Column, drawTable } from './table.ts';
import type { Style } from './text.ts';
import { REPORT_WORDS, type ReportWords } from './words.ts';

export type DocumentInput = {
  report: Report;
  language: PageLanguage;
  /** PNG or JPEG; null: there is none. */
  logo: Uint8Array | null;
  at: Date;
};

const TITLE: Style = { size: 22, weight: 'semibold', color: INK };
const HEADING: Style = { size: 13, weight: 'semibold', color: INK };
const PERIOD: Style = { size: 11, weight: 'regular', color: QUIET };
const FIGURE: Style = { size: 13.5, weight: 'semibold', color: INK };
const LOGO = { width: 150, height: 40 };

type Making = {
  sheet: Sheet;
  report: Report;
  language: PageLanguage;
  words: ReportWords;
  formats: ReportFormats;
};

/** The bytes of the document. */
export function makeDocument({ report, language, logo, at }: DocumentInput): Promise<Uint8Array> {
  const words = REPORT_WORDS[language];
  const formats = reportFormats(report, language, words);
  const subject = filled(words.of[report.subject.kind], { name: report.subject.name });
  const title = `${words.title} · ${subject} · ${formats.period()}`;
  const sheet = makeSheet({ title, author: report.organization_name, language, at });
  const making = { sheet, report, language, words, formats };
  drawHead(making, subject, logo);
  drawSummary(making);
  drawMonitors(making);
  drawIncidents(making);
  drawNotes(making);
  return sheet.finish((page, pages) => [
    `${report.organization_name} · ${title}`,
    filled(words.page, { page, pages }),
  ]);
}

function drawHead({ sheet, report, words, formats }: Making, subject: string, logo: Uint8Array | null): void {
  const { writer, root } = sheet;
  const hasLogo = logo !== null && drawLogo(sheet, logo);
  const room = WIDTH - (hasLogo ? LOGO.width + 20 : 0);
  const line = (type: string, text: string, style: Style, height: number) => {
    sheet.tagged(root, type, () =>
      writer.put(writer.shortened(text, room, style), PAGE.margin, sheet.y(), style),
    );
    sheet.moveTo(sheet.y() + height);
  };
  line('P', `${report.organization_name} · ${words.title}`, PERIOD, 18);
  line('H1', subject, TITLE, 30);
  const until = report.is_over ? '' : ` (${filled(words.soFar, { time: formats.whole(report.to_unix) })})`;
  const zone = filled(words.times, { zone: report.timezone.replaceAll('_', ' ') });
  line('P', `${formats.period()}${until} · ${zone}`, PERIOD, 26);
}

/** Leaves out a file that cannot be drawn: the name is beside it anyway. */
function drawLogo(sheet: Sheet, logo: Uint8Array): boolean {
  try {
    sheet.decoration(() =>
      sheet.doc.image(Buffer.from(logo), RIGHT - LOGO.width, PAGE.margin, {
        fit: [LOGO.width, LOGO.height],
        align: 'right',
      }),
    );
    return true;
  } catch {
    return false;
  }
}

function drawSummary({ sheet, report, words, formats }: Making): void {
  const { totals } = report;
  const figures: [word: string, value: string][] = [
    [words.uptime, formats.percent(totals.uptime_time_pct)],
    [words.downtime, formats.seconds(totals.downtime_seconds)],
    [words.incidentCount, String(totals.incidents)],
    [words.longest, formats.seconds(totals.longest_downtime_seconds)],
    [words.maintenance, formats.seconds(totals.maintenance_seconds)],
    [words.unknown, formats.seconds(totals.unknown_seconds)],
  ];
  const width = WIDTH / figures.length;
  const top = sheet.y();
  sheet.rule(top);
  const list = sheet.group(sheet.root, 'Sect');
  for (const [i, [word, value]] of figures.entries()) {
    const x = PAGE.margin + i * width;
    sheet.tagged(list, 'P', () => {
      sheet.writer.put(word, x, top + 9, SMALL);
      sheet.writer.put(sheet.writer.shortened(value, width - 10, FIGURE), x, top + 22, FIGURE);
    });
  }
  list.end();
  sheet.rule(top + 50);
  sheet.moveTo(top + 66);
}

function heading(sheet: Sheet, text: string): Part {
  sheet.makeRoom(80);
  const section = sheet.group(sheet.root, 'Sect');
  sheet.tagged(section, 'H2', () => sheet.writer.put(text, PAGE.margin, sheet.y(), HEADING));
  sheet.moveTo(sheet.y() + 24);
  return section;
}

function drawMonitors({ sheet, report, words, formats }: Making): void {
  const section = heading(sheet, words.monitors);
  const { monitors, monitor_count: count, totals } = report;
  if (monitors.length === 0) sheet.paragraph(section, 'P', words.noMonitors, BODY);
  else {
    const figure = (title: string, share = 1): Column => ({ title, share, isFigure: true, lines: 2 });
    const columns: Column[] = [
      { title: words.monitor, share: 2.6, lines: 2 },
      ...[figure(words.uptime, 0.95), figure(words.coverage, 0.85), figure(words.downtime)],
      ...[figure(words.incidentCount, 0.8), figure(words.longest), figure(words.maintenance)],
      ...[figure(words.unknown), figure(words.discarded)],
    ];
    const cells = (row: Figures, coverage: number | null | undefined): Cell[] => [
      { text: formats.percent(row.uptime_time_pct), strong: true },
      { text: coverage === undefined ? '' : coverage === null ? words.none : formats.percent(coverage) },
      { text: formats.seconds(row.downtime_seconds) },
      { text: row.incidents === 0 ? words.none : String(row.incidents) },
      { text: formats.seconds(row.longest_downtime_seconds) },
      { text: formats.seconds(row.maintenance_seconds) },
      { text: formats.seconds(row.unknown_seconds) },
      { text: formats.seconds(row.discarded_seconds) },
    ];
    const rows = monitors.map((row) => [nameOf(sheet, report, row), ...cells(row, row.coverage_pct)]);
    drawTable(sheet, section, columns, rows, [{ text: words.totals }, ...cells(totals, undefined)]);
  }
  if (count > monitors.length)
    sheet.paragraph(section, 'P', filled(words.moreMonitors, { shown: monitors.length, count }), SMALL);
  if (report.kept_since_unix !== null) {
    const time = formats.whole(report.kept_since_unix);
    sheet.paragraph(section, 'P', filled(words.keptSince, { time }), SMALL);
  }
  section.end();
  sheet.moveTo(sheet.y() + 14);
}

type Figures = Report['totals'];

/** A name that no font can draw in full has its id beside it. A status page shows no projects. */
function nameOf(sheet: Sheet, { subject }: Report, row: ReportedMonitor): Cell {
  const beside = [
    ...(subject.kind === 'organization' || subject.kind === 'tag' ? [row.project_name] : []),
    ...(sheet.writer.canWrite(row.name) ? [] : [row.monitor_id]),
  ];
  return { text: row.name, ...(beside.length > 0 ? { below: beside.join(' · ') } : {}) };
}

function drawIncidents(making: Making): void {
  const { sheet, report, words } = making;
  const { incidents, incident_count: count } = report;
  if (incidents === null) return;
  const section = heading(sheet, words.incidents);
  if (incidents.length === 0) sheet.paragraph(section, 'P', words.noIncidents, BODY);
  else {
    // A document about a status page contains only what the page shows the public.
    const isPublic = report.subject.kind === 'status_page';
    const columns: Column[] = [
      { title: words.started, share: 1.35 },
      { title: words.ended, share: 1.35 },
      { title: words.lasted, share: 1, isFigure: true, lines: 2 },
      { title: words.monitor, share: isPublic ? 3.6 : 2, lines: 2 },
      ...(isPublic
        ? []
        : [
            { title: words.cause, share: 3, lines: 3 },
            { title: words.acknowledged, share: 1, isFigure: true, lines: 2 },
            { title: words.postmortem, share: 1.3, lines: 2 },
          ]),
    ];
    const rows = incidents.map((incident) => cellsOf(making, incident, isPublic));
    drawTable(sheet, section, columns, rows);
  }
  if (count !== null && count > incidents.length)
    sheet.paragraph(section, 'P', filled(words.moreIncidents, { shown: incidents.length, count }), SMALL);
  section.end();
  sheet.moveTo(sheet.y() + 14);
}

function cellsOf(
  { language, words, formats }: Making,
  incident: ReportedIncident,
  isPublic: boolean,
): Cell[] {
  const { discarded, origin, postmortem, resolved_at_unix: resolved } = incident;
  const aside = discarded ? words.falseAlarm : origin === 'manual' ? words.declared : undefined;
  const lasted = incident.duration_seconds;
  const acknowledged = incident.acknowledged_after_seconds;
  return [
    { text: formats.moment(incident.started_at_unix), quiet: discarded },
    { text: resolved === null ? words.stillOpen : formats.moment(resolved), quiet: discarded },
    { text: lasted === null ? words.none : formats.duration(lasted), quiet: discarded },
    {
      text: incident.monitor_name ?? words.noMonitor,
      quiet: discarded,
      ...(aside === undefined ? {} : { below: aside }),
    },
    ...(isPublic
      ? []
      : [
          {
            text: origin === 'manual' ? incident.cause : causeIn(incident.cause, language),
            quiet: discarded,
          },
          { text: acknowledged === null ? words.none : formats.duration(acknowledged), quiet: discarded },
          {
            text:
              postmortem === null
                ? words.none
                : postmortem.status === 'published'
                  ? words.written
                  : words.draft,
            quiet: discarded,
          },
        ]),
  ];
}

function drawNotes({ sheet, words }: Making): void {
  const section = heading(sheet, words.how);
  for (const note of words.notes) sheet.paragraph(section, 'P', note, SMALL);
  section.end();
}
