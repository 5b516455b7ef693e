import { link, type ProviderRules, text } from './provider.ts';

const TOP = [
  'routing_key',
  'event_action',
  'dedup_key',
  'payload',
  'client',
  'client_url',
  'links',
  'images',
];
const PAYLOAD = [
  'summary',
  'source',
  'severity',
  'timestamp',
  'component',
  'group',
  'class',
  'custom_details',
];

const unknown = (given: object, known: readonly string[]): string[] =>
  Object.keys(given).flatMap((key) => (known.includes(key) ? [] : [`${key} is unknown`]));

/** PagerDuty's Events API v2. */
export const pagerdutyRules: ProviderRules = {
  judge: ({ path, raw }, body) => {
    const { payload } = body;
    const wrong = [
      ...(path === '/v2/enqueue' ? [] : [`nothing is at ${path}`]),
      ...unknown(body, TOP),
      ...(typeof body.routing_key === 'string' && body.routing_key.length === 32
        ? []
        : ["Length of 'routing_key' is incorrect (should be 32 characters)"]),
      ...text('dedup_key', body.dedup_key, 255),
      ...(raw.length > 512 * 1024 ? ['larger than 512 KB'] : []),
    ];
    if (body.event_action === 'acknowledge' || body.event_action === 'resolve') return wrong;
    if (body.event_action !== 'trigger') return [...wrong, `event_action ${body.event_action}`];
    return [
      ...wrong,
      ...unknown(payload, PAYLOAD),
      ...text('summary', payload.summary, 1024),
      ...text('source', payload.source, 1024),
      ...(['critical', 'error', 'warning', 'info'].includes(payload.severity) ? [] : ['severity']),
      ...(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(payload.timestamp) ? [] : ['timestamp']),
      ...['component', 'group', 'class'].flatMap((key) =>
        key in payload ? text(key, payload[key], 1024) : [],
      ),
      ...link('client_url', body.client_url),
      ...body.links.flatMap(({ href }: { href: unknown }) => link('href', href)),
    ];
  },
  accepted: { status: 202, body: '{"status":"success","message":"Event processed","dedup_key":"x"}' },
  refused: {
    status: 400,
    body: '{"status":"invalid event","message":"Event object is invalid","errors":[]}',
  },
};
