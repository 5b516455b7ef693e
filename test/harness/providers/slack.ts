import { type Document, link, type ProviderRules, text } from './provider.ts';

/** Entities and dates are all that `&`, `<` and `>` may stand for. */
const isEscaped = (value: string): boolean =>
  !/[<>&]/.test(value.replace(/&(amp|lt|gt);/g, '').replace(/<!date\^\d+\^[^|>]*\|[^>]*>/g, ''));

function plainText(what: string, value: Document, max: number): string[] {
  if (value?.type !== 'plain_text') return [`${what} is not plain_text`];
  return [...text(what, value.text, max), ...(isEscaped(value.text) ? [] : [`${what} is not escaped`])];
}

function blocks(what: string, given: Document): string[] {
  if (!Array.isArray(given)) return [`${what} is no list`];
  return given.flatMap((block: Document, i: number) => {
    const at = `${what}[${i}]`;
    switch (block.type) {
      case 'header':
        return plainText(at, block.text, 150);
      case 'section': {
        const fields: Document[] = block.fields ?? [];
        if (!block.text && fields.length === 0) return [`${at} is empty`];
        return [
          ...(block.text ? plainText(at, block.text, 3000) : []),
          ...(fields.length > 10 ? [`${at} has ${fields.length} fields`] : []),
          ...fields.flatMap((field) =>
            field.type === 'mrkdwn' && /^[A-Z][a-z ]+: <!date\^/.test(field.text)
              ? text(at, field.text, 2000)
              : plainText(at, field, 2000),
          ),
        ];
      }
      case 'actions':
        return block.elements.flatMap((button: Document) => [
          ...(button.type === 'button' ? [] : [`${at} has no button`]),
          ...plainText(at, button.text, 75),
          ...link(at, button.url),
        ]);
      default:
        return [`${at} is of an unknown type ${block.type}`];
    }
  });
}

/** Slack's incoming webhook. */
export const slackRules: ProviderRules = {
  judge: (_got, body) => {
    const attachments: Document[] = body.attachments ?? [];
    const count = [body, ...attachments].reduce((sum, part) => sum + (part.blocks?.length ?? 0), 0);
    return [
      ...text('text', body.text, 40_000),
      ...(isEscaped(body.text) ? [] : ['text is not escaped']),
      ...(count > 50 ? [`${count} blocks`] : []),
      ...blocks('blocks', body.blocks),
      ...attachments.flatMap((part) => [
        ...(/^#[0-9A-F]{6}$/.test(part.color) ? [] : ['no colour']),
        ...blocks('attachment', part.blocks),
      ]),
      ...('link_names' in body ? ['link_names would call people'] : []),
    ];
  },
  accepted: { status: 200, body: 'ok' },
  refused: { status: 400, body: 'invalid_blocks' },
};
