// Twelve months: the incidents of each, and the uptime of every monitor. Months are in UTC, as the figures are.
import { html, type Markup } from '#src/platform/html.ts';
import type { MonthlyUptime, PublicIncident } from '../snapshot.ts';
import { filled } from '../words.ts';
import { incidentLine } from './incident-story.ts';
import type { View } from './view.ts';

const MONTHS = 12;

export function history(months: MonthlyUptime[] | null, view: View): Markup {
  const { words, href, shown, snapshot } = view;
  const incidents = Map.groupBy(snapshot.incidents, ({ startedAt }) => startedAt.toISOString().slice(0, 7));
  const figures = new Map(months?.map((month) => [month.month, month]));
  return html`<p class="way"><a${href(shown.path || '/')}>${words.back}</a></p><h1>${words.historyTitle}</h1><p class="lead">${words.historyLead}</p>${
    months === null ? html`<p class="notice">${words.historyNoFigures}</p>` : null
  }<div class="months">${monthsBefore(snapshot.at).map((month) => monthOf(month, incidents.get(month) ?? [], figures.get(month), view))}</div>`;
}

/** This month and those before it, YYYY-MM. */
function monthsBefore(at: Date): string[] {
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

function monthOf(
  month: string,
  incidents: readonly PublicIncident[],
  figures: MonthlyUptime | undefined,
  view: View,
): Markup {
  const { words, formats } = view;
  const count = incidents.length;
  const said = count === 0 ? words.incidentsNone : count === 1 ? words.incidentsOne : words.incidentsMany;
  return html`<section class="month" aria-labelledby="m${month}"><div class="head"><h2 id="m${month}">${formats.month(month)}</h2><p class="quiet">${filled(said, { count })}</p></div>${
    count === 0
      ? null
      : html`<ul class="events">${incidents.map((incident) => incidentLine(incident, view, 3))}</ul>`
  }${figures && figures.monitors.length > 0 ? uptimeTable(figures, view) : null}</section>`;
}

function uptimeTable({ month, monitors }: MonthlyUptime, { words, formats }: View): Markup {
  return html`<details class="more" data-key="m${month}"><summary>${filled(words.uptimeOf, { month: formats.month(month) })}</summary><table><thead><tr><th scope="col">${words.service}</th><th scope="col">${words.uptime}</th><th scope="col">${words.downtime}</th></tr></thead><tbody>${monitors.map(
    ({ label, uptimePct, downtimeSeconds }) =>
      html`<tr><th scope="row"><bdi>${label}</bdi></th><td>${uptimePct === null ? words.dayUnknown : formats.percent(uptimePct)}</td><td>${downtimeSeconds === 0 ? '–' : formats.duration(downtimeSeconds)}</td></tr>`,
  )}</tbody></table></details>`;
}
