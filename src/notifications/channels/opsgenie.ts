// Opsgenie Alert API (https://docs.opsgenie.com/docs/alert-api): one alert per `alias` (512 characters), created,
// acknowledged, closed, with notes. Message 130 characters, description 15,000, a note 25,000, at most 20 tags of 50,
// details 8,000 together, entity 512, source 100. Requests are accepted with 202 and processed later. Its successor at Jira
// Service Management takes the same payload.
import type { Channel, Destination, Exchange, Message } from './channel.ts';
import { type Fact, nameOf, renderEvent } from './message.ts';
import { moreWords, renderGroup } from './message-of-group.ts';
import { movesOf, movesPage } from './paging.ts';
import { NOT_ACCEPTED, objectIn, postJson } from './post-json.ts';
import { clean, fit, oneLine, utc } from './text.ts';

const MESSAGE = 130;
const DESCRIPTION = 15_000;
const NOTE = 25_000;
const TAG = 50;
const DETAIL = 500;
const ENTITY = 512;
const SOURCE = 'Tocsin';

export const opsgenie: Channel = {
  kind: 'opsgenie',
  family: 'paging',
  carries: (event) => event === 'test' || event === 'updated' || movesPage(event),
  exchanges(message, to) {
    const moves = movesOf(message);
    // The alert of a drill stays open until the drill is over.
    if (message.events[0]?.test && !message.events[0].drill)
      return moves.flatMap(({ key }) => [
        create(message, to, key, 'P5'),
        onAlert(key, to, 'close', { source: SOURCE }),
      ]);
    return moves.flatMap(({ key, state, worst, about }) => {
      const note = noteOf(about);
      // Only notes: the alert does not change.
      if (message.events.every(({ event }) => event === 'updated') && !message.group?.paged.includes(key))
        return [onAlert(key, to, 'notes', { note, source: SOURCE })];
      if (state === null) return [];
      if (state === 'open') return [create(about, to, key, `P${worst}`)];
      const action = state === 'closed' ? 'close' : 'acknowledge';
      return [onAlert(key, to, action, { source: SOURCE, ...(note === '' ? {} : { note }) })];
    });
  },
  refusal(answer) {
    const said = objectIn(answer);
    return said !== null && typeof said.requestId === 'string' ? null : NOT_ACCEPTED;
  },
};

const authorized = ({ secret }: Destination) => ({ authorization: `GenieKey ${secret ?? ''}` });

function onAlert(key: string, to: Destination, action: string, body: object): Exchange {
  const alert = `${to.url}/${encodeURIComponent(key)}`;
  return postJson(`${alert}/${action}?identifierType=alias`, body, authorized(to));
}

function create(message: Message, to: Destination, key: string, priority: string): Exchange {
  const { headline, description, details } = contentOf(message);
  const [event] = message.events;
  const { incident, organization, project, monitor } = event!;
  const note = message.group ? noteOf(message) : '';
  const tags = message.group ? [] : [project?.name, monitor?.type, incident?.severity];
  return postJson(
    to.url,
    {
      message: fit(headline, MESSAGE),
      alias: key,
      description: fit(description, DESCRIPTION),
      tags: [
        'tocsin',
        ...tags.map((tag) => fit(oneLine(tag ?? '').replaceAll(',', ' '), TAG)).filter(Boolean),
      ],
      details,
      entity:
        fit(
          incident && !message.group
            ? nameOf(event!, incident, message.language)
            : oneLine(organization.name),
          ENTITY,
        ) || SOURCE,
      source: SOURCE,
      priority,
      ...(note === '' ? {} : { note }),
    },
    authorized(to),
  );
}

function contentOf(message: Message) {
  if (message.group) {
    const rendered = renderGroup(message, message.group);
    const lines = rendered.lines.map(({ headline, text }) =>
      fit(text ? `${headline}, ${text}` : headline, 500),
    );
    const description = [...lines, moreWords(rendered.more, message.language), rendered.link.url]
      .filter(Boolean)
      .join('\n');
    return {
      headline: rendered.headline,
      description,
      details: { ...inWords(rendered.facts), Link: rendered.link.url },
    };
  }
  const { headline, text, facts, link } = renderEvent(message.events[0]!, message.baseUrl, message.language);
  // The link comes first, so that it is never cut.
  const description = [link.url, text].filter(Boolean).join('\n\n');
  return { headline, description, details: { ...inWords(facts), Link: link.url } };
}

/** The notes in these events. In a group each one names its incident, below the headline of the group. */
function noteOf(message: Message): string {
  const written = message.events.flatMap((event) => {
    const { note } = event;
    if (!note) return [];
    const about =
      message.group && event.incident ? `${nameOf(event, event.incident, message.language)}: ` : '';
    return `${about}${clean(note.body)} (${oneLine(note.author_name)})`;
  });
  return fit(
    [...(message.group ? [renderGroup(message, message.group).headline] : []), ...written].join('\n\n'),
    NOTE,
  );
}

function inWords(facts: readonly Fact[]): Record<string, string> {
  return Object.fromEntries(
    facts.map((fact) => [fact.label, 'unix' in fact ? utc(fact.unix) : fit(fact.text, DETAIL)]),
  );
}
