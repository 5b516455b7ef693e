// Groups and their monitors: state in words, uptime, days, response times.
import { html, type Markup } from '#src/platform/html.ts';
import type { PublicGroup, PublicMonitor } from '../snapshot.ts';
import { filled } from '../words.ts';
import { bars, downDays, leftEnd, legend } from './bars.ts';
import { stateMark } from './glyph.ts';
import { incidentLink } from './incident-story.ts';
import { responseChart, sparkline } from './response-chart.ts';
import type { View } from './view.ts';

export function groups(view: View): Markup {
  const { snapshot, words } = view;
  const shown = snapshot.groups.filter(({ monitors }) => monitors.length > 0);
  const hasBars = shown.some(({ monitors }) => monitors.some(({ days }) => days !== null));
  return html`<section class="services" aria-labelledby="services" data-clear="${view.formats.percent(100)} · ${words.dayClear}" data-unknown="${words.dayUnknown}"><h2 id="services">${words.services}</h2>${
    shown.length === 0
      ? html`<p class="quiet">${words.noServices}</p>`
      : shown.map((group) => groupOf(group, view))
  }${shown.length === 0 ? null : html`<div class="rules">${hasBars ? legend(view) : null}<p>${words.uptimeRule}${hasBars ? ` ${words.days}` : ''}</p></div>`}</section>`;
}

const groupOf = ({ name, collapsed, state, monitors }: PublicGroup, view: View): Markup =>
  html`<details class="group" data-key="group ${name}"${collapsed ? null : html` open`}><summary><h3><bdi>${name}</bdi></h3>${stateMark(state, view.words)}</summary><ul>${monitors.map((monitor) => monitorOf(monitor, view))}</ul></details>`;

function monitorOf(monitor: PublicMonitor, view: View): Markup {
  const { id, label, state, days } = monitor;
  const { words } = view;
  return html`<li class="monitor" id="${id}" data-key="${id}"><div class="head"><h4><bdi>${label}</bdi></h4>${stateMark(state, words)}</div>${bars(monitor, view)}
<p class="span">${days?.length ? html`<span aria-hidden="true">${leftEnd(days.length, view)}</span>` : null}<span class="uptime">${uptime(monitor, view)}</span>${days?.length ? html`<span aria-hidden="true">${words.today}</span>` : null}</p>${details(monitor, view)}</li>`;
}

const uptime = ({ uptimePct, windowDays }: PublicMonitor, { words, formats }: View): string =>
  uptimePct === null
    ? filled(words.uptimeUnknown, { days: windowDays })
    : filled(words.uptimeWindow, { pct: formats.percent(uptimePct), days: windowDays });

/** The chart, and the days with downtime as a table, which describes the bars in words. */
function details(monitor: PublicMonitor, view: View): Markup | null {
  const { words } = view;
  const chart = responseChart(monitor, view);
  const speed = sparkline(monitor, view);
  if (chart === null && monitor.days === null) return speed && html`<p class="more">${speed}</p>`;
  return html`<details class="more" data-key="more"><summary><span aria-hidden="true">${words.detailsShort}</span><span class="unseen">${filled(words.details, { label: monitor.label })}</span>${speed}</summary>${chart}${
    monitor.days === null ? null : downTable(monitor, view)
  }</details>`;
}

function downTable({ id, days, windowDays }: PublicMonitor, view: View): Markup {
  const { words, formats } = view;
  const down = downDays(days ?? []).toReversed();
  if (down.length === 0) return html`<p class="quiet">${filled(words.noDownDays, { days: windowDays })}</p>`;
  return html`<table><caption>${words.downDays}</caption><thead><tr><th scope="col">${words.date}</th><th scope="col">${words.uptime}</th><th scope="col">${words.downtime}</th></tr></thead><tbody>${down.map(
    (day) =>
      html`<tr><th scope="row">${formats.utcDay(day.date)}${view.incidentsOn(id, day.date).map((incident) => incidentLink(incident, view))}</th><td>${day.uptimePct === null ? words.dayUnknown : formats.percent(day.uptimePct)}</td><td>${formats.duration(day.downtimeSeconds)}</td></tr>`,
  )}</tbody></table>`;
}
