import { type Document, type ProviderRules, text } from './provider.ts';

const CREATE = [
  'message',
  'alias',
  'description',
  'responders',
  'visibleTo',
  'actions',
  'tags',
  'details',
  'entity',
  'source',
  'priority',
  'user',
  'note',
];

const optional = (body: Document, key: string, max: number): string[] =>
  key in body ? text(key, body[key], max) : [];

function create(body: Document): string[] {
  const details: Record<string, unknown> = body.details ?? {};
  const size = Object.entries(details).reduce(
    (sum, [key, value]) => sum + key.length + String(value).length,
    0,
  );
  return [
    ...Object.keys(body).flatMap((key) => (CREATE.includes(key) ? [] : [`${key} is unknown`])),
    ...text('message', body.message, 130),
    ...text('alias', body.alias, 512),
    ...optional(body, 'description', 15_000),
    ...optional(body, 'entity', 512),
    ...optional(body, 'source', 100),
    ...optional(body, 'note', 25_000),
    ...(/^P[1-5]$/.test(body.priority) ? [] : ['priority']),
    ...(body.tags.length > 20 ? ['more than 20 tags'] : []),
    ...body.tags.flatMap((tag: unknown) => text('tag', tag, 50)),
    ...(Object.values(details).every((value) => typeof value === 'string') ? [] : ['details are no texts']),
    ...(size > 8000 ? [`details have ${size} characters`] : []),
  ];
}

/** Opsgenie's Alert API, and that of its successor. */
export const opsgenieRules: ProviderRules = {
  judge: ({ path, headers }, body) => {
    const url = new URL(path, 'http://opsgenie');
    const [, alias, action] =
      /^\/v2\/alerts(?:\/([^/]+)\/(acknowledge|close|notes))?$/.exec(url.pathname) ?? [];
    const wrong = /^GenieKey \S+$/.test(headers.authorization ?? '') ? [] : ['no GenieKey'];
    if (url.pathname === '/v2/alerts') return [...wrong, ...create(body)];
    if (alias === undefined) return [...wrong, `nothing is at ${path}`];
    return [
      ...wrong,
      ...(url.searchParams.get('identifierType') === 'alias' ? [] : ['identifierType']),
      ...optional(body, 'source', 100),
      ...(action === 'notes' ? text('note', body.note, 25_000) : optional(body, 'note', 25_000)),
    ];
  },
  accepted: { status: 202, body: '{"result":"Request will be processed","took":0.1,"requestId":"43a29c5c"}' },
  refused: { status: 422, body: '{"message":"Request body is not processable.","took":0,"requestId":"x"}' },
};
