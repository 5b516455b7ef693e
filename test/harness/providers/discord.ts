import { type Document, link, type ProviderRules, text } from './provider.ts';

/** Discord's Markdown with every escaped sign taken out: what is left must be nobody's markup but ours. */
function unescaped(value: string): string {
  return value.replace(/\\[^0-9A-Za-z\s]/g, '').replace(/<t:\d+:F>/g, '');
}

/** Signs that would do something: mentions, links, styles. Bold is ours, and comes in pairs. */
function marked(what: string, value: string): string[] {
  const left = unescaped(value).replace(/\*\*([^*]*)\*\*/g, '$1');
  return /[<>@*_~`|#[\]]|https?:\/\//.test(left) ? [`${what} has markup in it: ${left.slice(0, 80)}`] : [];
}

/** The embed limits count characters as Unicode units at worst. */
export const discordRules: ProviderRules = {
  judge: (_got, body) => {
    const embeds: Document[] = body.embeds;
    const all = embeds.flatMap((embed) => [
      embed.title,
      embed.description ?? '',
      ...embed.fields.flatMap((field: Document) => [field.name, field.value]),
    ]);
    const total = all.join('').length;
    return [
      ...text('content', body.content, 2000),
      ...marked('content', body.content),
      ...(embeds.length > 10 ? ['more than ten embeds'] : []),
      ...(total > 6000 ? [`${total} characters in embeds`] : []),
      ...(JSON.stringify(body.allowed_mentions) === '{"parse":[]}' ? [] : ['mentions are allowed']),
      ...embeds.flatMap((embed) => [
        ...text('title', embed.title, 256),
        ...('description' in embed ? text('description', embed.description, 4096) : []),
        ...marked('description', embed.description ?? ''),
        ...link('url', embed.url),
        ...(Number.isInteger(embed.color) && embed.color >= 0 && embed.color <= 0xffffff
          ? []
          : ['no colour']),
        ...(embed.fields.length > 25 ? ['more than 25 fields'] : []),
        ...embed.fields.flatMap((field: Document) => [
          ...text('name', field.name, 256),
          ...text('value', field.value, 1024),
          ...marked('value', field.value),
        ]),
      ]),
    ];
  },
  accepted: { status: 204, body: '' },
  refused: { status: 400, body: '{"code":50035,"message":"Invalid Form Body"}' },
};
