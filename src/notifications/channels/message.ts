// The content of a message, before a channel gives it its form: every channel uses the same words.
import type { DrillPayload, EventBody, IncidentPayload } from '../event-body.ts';
import type { EventToRender, Message } from './channel.ts';
import { clean, oneLine, span } from './text.ts';

/** How serious a message is. Channels show it as a colour, or as the symbol where they have no colours. */
export type Tone = 'critical' | 'warning' | 'info' | 'good' | 'neutral';
export const SYMBOLS: Readonly<Record<Tone, string>> = {
  critical: '🔴',
  warning: '🟠',
  info: '🔵',
  good: '🟢',
  neutral: '⚪',
};
export const COLOURS: Readonly<Record<Tone, string>> = {
  critical: '#D92D20',
  warning: '#F79009',
  info: '#2E90FA',
  good: '#12B76A',
  neutral: '#98A2B3',
};

/** A line with its label. A time is shown in the reader's own time zone where the provider supports that. */
export type Fact = { label: string } & ({ text: string } | { unix: number });

export type Rendered = {
  tone: Tone;
  /** One line that names the monitor, incident or window. */
  headline: string;
  /** The cause, or a text that somebody wrote; may have several lines. */
  text: string | null;
  facts: Fact[];
  link: { label: string; url: string };
};

/** The content of a message about one event. Every text is cleaned; none is escaped or cut yet. */
export function renderEvent(event: EventToRender, baseUrl: string): Rendered {
  const place = `${baseUrl}/app/o/${encodeURIComponent(event.organization.id)}`;
  if (event.maintenance) return renderMaintenance(event, place);
  if (event.drill) return renderDrill(event, event.drill, place);
  if (!event.incident) return renderTest(event, place);
  const { incident } = event;
  const content = incidentContent(event, incident);
  return {
    tone: content.tone,
    headline: `${content.word}: ${nameOf(event, incident)}`,
    text: content.text,
    facts: [...content.facts, ...factsOf(event, incident)],
    link: { label: 'Open the incident', url: `${place}/incidents/${encodeURIComponent(incident.id)}` },
  };
}

/** The name of an incident in messages: its monitor's, or its cause where it has no monitor. */
export function nameOf({ monitor }: Pick<EventBody, 'monitor'>, incident: IncidentPayload): string {
  return oneLine(monitor?.name ?? incident.monitor_name ?? incident.cause) || 'unnamed';
}

/** The list that shows every incident of a message. */
export const incidentsOf = ({ events, baseUrl }: Message): string =>
  `${baseUrl}/app/o/${encodeURIComponent(events[0]?.organization.id ?? '')}/incidents`;

type IncidentContent = { word: string; tone: Tone; text: string | null; facts: Fact[] };

function incidentContent(event: EventToRender, incident: IncidentPayload): IncidentContent {
  const cause = clean(incident.cause) || null;
  const by = event.actor === null ? '' : oneLine(event.actor);
  const person = (label: string): Fact[] => (by === '' ? [] : [{ label, text: by }]);
  switch (event.event) {
    case 'opened': {
      const byHand = incident.evidence === null;
      const word = byHand ? 'Incident' : incident.severity === 'degraded' ? 'Degraded' : 'Down';
      return { word, tone: toneOf(incident), text: cause, facts: byHand ? person('Reported by') : [] };
    }
    case 'escalated':
      return {
        word: 'Escalated',
        tone: 'critical',
        text: cause,
        facts: [{ label: 'Escalation', text: 'Nobody has acknowledged it yet' }],
      };
    case 'acknowledged':
      return { word: 'Acknowledged', tone: 'info', text: cause, facts: person('Acknowledged by') };
    case 'resolved':
      return {
        word: 'Resolved',
        tone: 'good',
        text: cause,
        facts: incident.auto_resolved ? [{ label: 'Resolved', text: 'By itself' }] : person('Resolved by'),
      };
    case 'updated': {
      const { note } = event;
      return {
        word: note?.kind === 'status_update' ? 'Status update' : 'Note',
        tone: 'info',
        text: note ? clean(note.body) || null : cause,
        facts: note ? [{ label: 'Written by', text: oneLine(note.author_name) || 'unnamed' }] : [],
      };
    }
    case 'discarded':
      return { word: 'False alarm', tone: 'neutral', text: cause, facts: person('Discarded by') };
    case 'restored':
      return {
        word: 'Restored, it counts again',
        tone: 'warning',
        text: cause,
        facts: person('Restored by'),
      };
    case 'postmortem_published':
      return { word: 'Post-mortem published', tone: 'info', text: cause, facts: person('Published by') };
    default:
      return { word: 'Incident', tone: 'neutral', text: cause, facts: [] };
  }
}

const toneOf = ({ severity }: IncidentPayload): Tone => (severity === 'degraded' ? 'warning' : 'critical');

function factsOf({ project }: EventBody, incident: IncidentPayload): Fact[] {
  const { started_at_unix: since, resolved_at_unix: until, down_regions: down } = incident;
  const facts: Fact[] = [{ label: 'Since', unix: since }];
  if (until !== null)
    facts.push({ label: 'Until', unix: until }, { label: 'Lasted', text: span(until - since) });
  if (down.length > 0)
    facts.push({ label: 'Regions', text: `${down.map(oneLine).join(', ')} (of ${incident.region_count})` });
  facts.push({ label: 'Severity', text: oneLine(incident.severity_level ?? incident.severity) });
  const name = oneLine(project?.name ?? incident.project_name ?? '');
  if (name !== '') facts.push({ label: 'Project', text: name });
  const held = incident.alarm_held_until_unix;
  if (typeof held === 'number') {
    facts.push({ label: 'Alarm held until', unix: held });
    const holder = oneLine(String(incident.alarm_held_by_name ?? ''));
    if (holder !== '') facts.push({ label: 'Held by', text: holder });
  }
  return facts;
}

function renderMaintenance({ event, maintenance }: EventBody, place: string): Rendered {
  const { title, body, scheduled_start, scheduled_end, cancelled, monitors } = maintenance!;
  const begins = event === 'maintenance_started';
  const word = begins ? 'Maintenance started' : cancelled ? 'Maintenance cancelled' : 'Maintenance ended';
  const facts: Fact[] = [
    { label: 'From', unix: scheduled_start },
    { label: 'Until', unix: scheduled_end },
  ];
  if (monitors.length > 0) facts.push({ label: 'Monitors', text: someOf(monitors.map(({ name }) => name)) });
  return {
    tone: begins ? 'neutral' : 'good',
    headline: `${word}: ${oneLine(title) || 'unnamed'}`,
    text: clean(body) || null,
    facts,
    link: { label: 'Open the maintenance calendar', url: `${place}/maintenance` },
  };
}

function renderDrill(
  { organization }: EventBody,
  { id, state, text }: DrillPayload,
  place: string,
): Rendered {
  const word = state === 'open' ? 'FIRE DRILL' : 'FIRE DRILL over';
  return {
    tone: 'info',
    headline: `${word}: ${oneLine(organization.name) || 'Tocsin'}`,
    text: clean(text) || null,
    facts: [],
    link: { label: 'Open the drill', url: `${place}/on-call/drills/${encodeURIComponent(id)}` },
  };
}

function renderTest({ organization }: EventBody, place: string): Rendered {
  return {
    tone: 'neutral',
    headline: `Test message: ${oneLine(organization.name) || 'Tocsin'}`,
    text: 'This is a test from Tocsin. The channel works.',
    facts: [],
    link: { label: 'Open the notifications', url: `${place}/notifications` },
  };
}

/** The first ten names, and the number of the others. */
function someOf(names: readonly string[]): string {
  const first = names.slice(0, 10).map(oneLine).join(', ');
  return names.length > 10 ? `${first} and ${names.length - 10} more` : first;
}
