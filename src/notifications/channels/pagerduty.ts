// PagerDuty Events API v2 (https://developer.pagerduty.com/docs/events-api-v2/overview/, …/trigger-events/): one alert per
// `dedup_key` (255 characters), triggered, acknowledged, resolved. Summary 1,024 characters; severities critical, error,
// warning, info; an event 512 KB. 202 with `status: success` means accepted; 400 names the mistake; 429 means
// later. It has no notes: texts that people wrote stay with us.
import type { Channel, Destination, Exchange, Message } from './channel.ts';
import { type Fact, nameOf, type Rendered, renderEvent } from './message.ts';
import { renderGroup } from './message-of-group.ts';
import { movesOf, movesPage, type PageState } from './paging.ts';
import { NOT_ACCEPTED, objectIn, postJson } from './post-json.ts';
import { fit, oneLine } from './text.ts';

const SUMMARY = 1024;
const SHORT = 255;
const TEXT = 8000;

export const pagerduty: Channel = {
  kind: 'pagerduty',
  family: 'paging',
  carries: (event) => event === 'test' || movesPage(event),
  exchanges(message, to) {
    const moves = movesOf(message);
    // The page of a drill stays open until the drill is over.
    if (message.events[0]?.test && !message.events[0].drill)
      return moves.flatMap(({ key }) => [trigger(message, to, key, 'info'), follow(to, key, 'closed')]);
    return moves.flatMap(({ key, state, worst, about }) => {
      if (state === null) return [];
      return state === 'open' ? [trigger(about, to, key, SEVERITIES[worst])] : [follow(to, key, state)];
    });
  },
  refusal: (answer) => (objectIn(answer)?.status === 'success' ? null : NOT_ACCEPTED),
};

const SEVERITIES = { 1: 'critical', 2: 'error', 3: 'warning' } as const;

function follow({ url, secret }: Destination, key: string, state: Exclude<PageState, 'open'>): Exchange {
  return postJson(url, {
    routing_key: secret,
    event_action: state === 'closed' ? 'resolve' : 'acknowledge',
    dedup_key: key,
  });
}

function trigger(message: Message, { url, secret }: Destination, key: string, severity: string): Exchange {
  const { summary, link, details } = contentOf(message);
  const [event] = message.events;
  const { incident, monitor, project, organization } = event!;
  const optional = {
    component: monitor?.name,
    group: project?.name,
    class: monitor?.type,
  };
  return postJson(url, {
    routing_key: secret,
    event_action: 'trigger',
    dedup_key: key,
    client: 'Tocsin',
    client_url: link.url,
    links: [{ href: link.url, text: link.label }],
    payload: {
      summary: fit(summary, SUMMARY),
      source:
        fit(
          incident && !message.group
            ? nameOf(event!, incident, message.language)
            : oneLine(organization.name),
          SHORT,
        ) || 'Tocsin',
      severity,
      timestamp: new Date((incident?.started_at_unix ?? event!.created_at_unix) * 1000).toISOString(),
      ...(message.group ? {} : short(optional)),
      custom_details: details,
    },
  });
}

type Content = { summary: string; link: Rendered['link']; details: Record<string, string> };

function contentOf(message: Message): Content {
  if (message.group) {
    const rendered = renderGroup(message, message.group);
    const incidents = rendered.lines.map(({ headline, text }) =>
      fit(text ? `${headline}, ${text}` : headline, 400),
    );
    if (rendered.more > 0) incidents.push(`and ${rendered.more} more`);
    const details = { ...inWords(rendered.facts), Listed: incidents.join('\n') };
    return { summary: rendered.headline, link: rendered.link, details };
  }
  const { headline, text, facts, link } = renderEvent(message.events[0]!, message.baseUrl, message.language);
  const summary =
    text === null || headline.endsWith(oneLine(text)) ? headline : `${headline}, ${oneLine(text)}`;
  const details = { ...(text === null ? {} : { Cause: fit(text, TEXT) }), ...inWords(facts) };
  return { summary, link, details };
}

const inWords = (facts: readonly Fact[]): Record<string, string> =>
  Object.fromEntries(
    facts.map((fact) => [
      fact.label,
      'unix' in fact ? new Date(fact.unix * 1000).toISOString() : fit(fact.text, 1000),
    ]),
  );

/** The names that are known, each on one line and cut to its limit. */
function short(names: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(names).map(([key, name]) => [key, fit(oneLine(name ?? ''), SHORT)] as const);
  return Object.fromEntries(entries.filter(([, name]) => name !== ''));
}
