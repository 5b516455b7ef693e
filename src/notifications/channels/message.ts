// The content of a message, before a channel gives it its form: every channel uses the same words.
import { causeIn } from '#src/domain/cause-words.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { filled } from '#src/platform/page-language.ts';
import { drillTextIn } from '../drill-text.ts';
import type { DrillPayload, EventBody, IncidentPayload } from '../event-body.ts';
import type { EventToRender, Message } from './channel.ts';
import { clean, oneLine, span } from './text.ts';
import { CHAT_WORDS, type ChatWords } from './words.ts';

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
export function renderEvent(event: EventToRender, baseUrl: string, language: PageLanguage): Rendered {
  const words = CHAT_WORDS[language];
  const place = `${baseUrl}/app/o/${encodeURIComponent(event.organization.id)}`;
  if (event.maintenance) return renderMaintenance(event, place, words);
  if (event.drill) return renderDrill(event, event.drill, place, language);
  if (!event.incident) return renderTest(event, place, words);
  const { incident } = event;
  const content = incidentContent(event, incident, language);
  return {
    tone: content.tone,
    headline: `${content.word}: ${nameOf(event, incident, language)}`,
    text: content.text,
    facts: [...content.facts, ...factsOf(event, incident, words)],
    link: { label: words.openIncident, url: `${place}/incidents/${encodeURIComponent(incident.id)}` },
  };
}

/** The name of an incident in messages: its monitor's, or its cause where it has no monitor. */
export function nameOf(
  { monitor }: Pick<EventBody, 'monitor'>,
  incident: IncidentPayload,
  language: PageLanguage,
): string {
  const name = monitor?.name ?? incident.monitor_name ?? causeOf(incident, language);
  return oneLine(name) || CHAT_WORDS[language].unnamed;
}

/** The cause of an automatic incident is ours; what somebody wrote stays as it is. */
const causeOf = ({ cause, evidence }: IncidentPayload, language: PageLanguage): string =>
  evidence ? causeIn(cause, language) : cause;

/** The list that shows every incident of a message. */
export const incidentsOf = ({ events, baseUrl }: Message): string =>
  `${baseUrl}/app/o/${encodeURIComponent(events[0]?.organization.id ?? '')}/incidents`;

type IncidentContent = { word: string; tone: Tone; text: string | null; facts: Fact[] };

function incidentContent(
  event: EventToRender,
  incident: IncidentPayload,
  language: PageLanguage,
): IncidentContent {
  const words = CHAT_WORDS[language];
  const { heads } = words;
  const cause = clean(causeOf(incident, language)) || null;
  const by = event.actor === null ? '' : oneLine(event.actor);
  const person = (label: string): Fact[] => (by === '' ? [] : [{ label, text: by }]);
  switch (event.event) {
    case 'opened': {
      const byHand = incident.evidence === null;
      const word = byHand ? heads.incident : incident.severity === 'degraded' ? heads.degraded : heads.down;
      return { word, tone: toneOf(incident), text: cause, facts: byHand ? person(words.reportedBy) : [] };
    }
    case 'escalated':
      return {
        word: heads.escalated,
        tone: 'critical',
        text: cause,
        facts: [{ label: words.escalation, text: words.untaken }],
      };
    case 'acknowledged':
      return {
        word: heads.acknowledged,
        tone: 'info',
        text: cause,
        facts: person(words.acknowledgedBy),
      };
    case 'resolved':
      return {
        word: heads.resolved,
        tone: 'good',
        text: cause,
        facts: incident.auto_resolved
          ? [{ label: words.resolved, text: words.byItself }]
          : person(words.resolvedBy),
      };
    case 'updated': {
      const { note } = event;
      return {
        word: note?.kind === 'status_update' ? heads.statusUpdate : heads.note,
        tone: 'info',
        text: note ? clean(note.body) || null : cause,
        facts: note ? [{ label: words.writtenBy, text: oneLine(note.author_name) || words.unnamed }] : [],
      };
    }
    case 'discarded':
      return { word: heads.discarded, tone: 'neutral', text: cause, facts: person(words.discardedBy) };
    case 'restored':
      return {
        word: heads.restored,
        tone: 'warning',
        text: cause,
        facts: person(words.restoredBy),
      };
    case 'postmortem_published':
      return { word: heads.postmortem, tone: 'info', text: cause, facts: person(words.publishedBy) };
    default:
      return { word: heads.incident, tone: 'neutral', text: cause, facts: [] };
  }
}

const toneOf = ({ severity }: IncidentPayload): Tone => (severity === 'degraded' ? 'warning' : 'critical');

function factsOf({ project }: EventBody, incident: IncidentPayload, words: ChatWords): Fact[] {
  const { started_at_unix: since, resolved_at_unix: until, down_regions: down } = incident;
  const facts: Fact[] = [{ label: words.since, unix: since }];
  if (until !== null)
    facts.push({ label: words.until, unix: until }, { label: words.lasted, text: span(until - since) });
  if (down.length > 0)
    facts.push({
      label: words.regions,
      text: filled(words.regionsOf, { regions: down.map(oneLine).join(', '), count: incident.region_count }),
    });
  const severity = incident.severity_level ?? incident.severity;
  facts.push({ label: words.severity, text: words.severities[severity] ?? oneLine(severity) });
  const name = oneLine(project?.name ?? incident.project_name ?? '');
  if (name !== '') facts.push({ label: words.project, text: name });
  const held = incident.alarm_held_until_unix;
  if (typeof held === 'number') {
    facts.push({ label: words.heldUntil, unix: held });
    const holder = oneLine(String(incident.alarm_held_by_name ?? ''));
    if (holder !== '') facts.push({ label: words.heldBy, text: holder });
  }
  return facts;
}

function renderMaintenance({ event, maintenance }: EventBody, place: string, words: ChatWords): Rendered {
  const { heads } = words;
  const { title, body, scheduled_start, scheduled_end, cancelled, monitors } = maintenance!;
  const begins = event === 'maintenance_started';
  const word = begins
    ? heads.maintenanceStarted
    : cancelled
      ? heads.maintenanceCancelled
      : heads.maintenanceEnded;
  const facts: Fact[] = [
    { label: words.from, unix: scheduled_start },
    { label: words.until, unix: scheduled_end },
  ];
  if (monitors.length > 0)
    facts.push({
      label: words.monitors,
      text: someOf(
        monitors.map(({ name }) => name),
        words,
      ),
    });
  return {
    tone: begins ? 'neutral' : 'good',
    headline: `${word}: ${oneLine(title) || words.unnamed}`,
    text: clean(body) || null,
    facts,
    link: { label: words.openMaintenance, url: `${place}/maintenance` },
  };
}

function renderDrill(
  { organization }: EventBody,
  { id, state, text }: DrillPayload,
  place: string,
  language: PageLanguage,
): Rendered {
  const { heads, openDrill } = CHAT_WORDS[language];
  const word = state === 'open' ? heads.drill : heads.drillOver;
  return {
    tone: 'info',
    headline: `${word}: ${oneLine(organization.name) || 'Tocsin'}`,
    text: clean(drillTextIn(text, language)) || null,
    facts: [],
    link: { label: openDrill, url: `${place}/on-call/drills/${encodeURIComponent(id)}` },
  };
}

function renderTest({ organization }: EventBody, place: string, words: ChatWords): Rendered {
  return {
    tone: 'neutral',
    headline: `${words.heads.test}: ${oneLine(organization.name) || 'Tocsin'}`,
    text: words.test,
    facts: [],
    link: { label: words.openNotifications, url: `${place}/notifications` },
  };
}

/** The first ten names, and the number of the others. */
function someOf(names: readonly string[], words: ChatWords): string {
  const first = names.slice(0, 10).map(oneLine).join(', ');
  return names.length > 10 ? filled(words.someMore, { names: first, count: names.length - 10 }) : first;
}
