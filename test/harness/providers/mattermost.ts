import { type Document, link, type ProviderRules, text } from './provider.ts';

/** Mattermost finds names after an at sign in raw text, escaped or not. */
const calls = (what: string, value: string): string[] =>
  /@[\p{L}\p{N}._-]/u.test(value) ? [`${what} calls somebody`] : [];

/** Markdown without escaped signs, and without our own bold names, list signs and link. */
function marked(what: string, value: string, url: string): string[] {
  const left = value
    .replace(/\\[\\`*_{}[\]()#+\-.!|~<>]/g, '')
    .replaceAll(`](${url})`, '')
    .replace(/\n*\[(?:Open the [a-z ]+|[A-ZÄÖÜ][a-zäöüß]+ öffnen)$/, '')
    .replace(/^- /gm, '')
    .replace(/\*\*([^*]*)\*\*/g, '$1');
  return /[*_~`|#[\]<>]|https?:\/\//.test(left) ? [`${what} has markup in it: ${left.slice(0, 80)}`] : [];
}

/** Mattermost's incoming webhook. */
export const mattermostRules: ProviderRules = {
  judge: ({ raw }, body) => {
    const attachments: Document[] = body.attachments;
    return [
      ...(raw.length > 100_000 ? ['far too long'] : []),
      ...('channel' in body ? ['another channel than the one it was made for'] : []),
      ...attachments.flatMap((part) => [
        ...text('fallback', part.fallback, 16_383),
        ...calls('fallback', part.fallback),
        ...text('title', part.title, 1024),
        ...calls('title', part.title),
        ...link('title_link', part.title_link),
        ...text('text', part.text, 16_383),
        ...calls('text', part.text),
        ...marked('text', part.text, part.title_link),
        ...(/^#[0-9A-F]{6}$/.test(part.color) ? [] : ['no colour']),
        ...part.fields.flatMap((field: Document) => [
          ...text('field', field.title, 256),
          ...text('value', field.value, 16_383),
          ...calls('value', field.value),
          ...marked('value', field.value, ''),
        ]),
      ]),
    ];
  },
  accepted: { status: 200, body: 'ok' },
  refused: { status: 400, body: '{"id":"web.incoming_webhook.parse.app_error"}' },
};
