import { type Document, link, type ProviderRules, text } from './provider.ts';

const STYLES = ['default', 'emphasis', 'good', 'attention', 'warning', 'accent'];

function element(value: Document, at: string): string[] {
  switch (value.type) {
    case 'Container':
      return [
        ...(STYLES.includes(value.style) ? [] : [`${at} has no style ${value.style}`]),
        ...value.items.flatMap((item: Document, i: number) => element(item, `${at}.${i}`)),
      ];
    case 'RichTextBlock':
      return value.inlines.flatMap((run: Document) => [
        ...(run.type === 'TextRun' ? [] : [`${at} has no text run`]),
        ...text(at, run.text, 28_000),
        ...(/[\n\u202a-\u202e\u2066-\u2069]/.test(run.text) ? [`${at} breaks out of its line`] : []),
      ]);
    case 'TextBlock':
      // Markdown and functions are interpreted here, so it may contain only our own words and the time.
      return /^\*\*[A-Z][a-z ]+:\*\* \{\{DATE\(([\d-]+T[\d:]+Z),SHORT\)\}\} \{\{TIME\(\1\)\}\}$/.test(
        value.text,
      )
        ? []
        : [`${at} has a text of somebody's where Markdown is read`];
    default:
      return [`${at} is of an unknown type ${value.type}`];
  }
}

/** A workflow that posts the card it receives. */
export const msteamsRules: ProviderRules = {
  judge: ({ raw }, body) => {
    const [attachment, ...more] = body.attachments;
    const card = attachment.content;
    return [
      ...(Buffer.byteLength(raw) > 28 * 1024 ? [`${Buffer.byteLength(raw)} bytes`] : []),
      ...(body.type === 'message' ? [] : ['no message']),
      ...(more.length === 0 ? [] : ['more than one card']),
      ...(attachment.contentType === 'application/vnd.microsoft.card.adaptive' ? [] : ['no adaptive card']),
      ...(card.type === 'AdaptiveCard' && /^1\.[0-5]$/.test(card.version)
        ? []
        : ['no version that Teams knows']),
      ...card.body.flatMap((value: Document, i: number) => element(value, `body.${i}`)),
      ...card.actions.flatMap((action: Document) => [
        ...(action.type === 'Action.OpenUrl' ? [] : ['no link']),
        ...text('title', action.title, 100),
        ...link('url', action.url),
      ]),
    ];
  },
  accepted: { status: 202, body: '' },
  refused: { status: 400, body: '{"error":{"code":"TriggerInputSchemaMismatch","message":"…"}}' },
};
