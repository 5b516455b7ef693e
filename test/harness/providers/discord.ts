import { type Document, type Got, link, type ProviderRules, type Reply, text } from './provider.ts';

/** Discord's Markdown without escaped signs: the rest must be our own markup only. */
function unescaped(value: string): string {
  return value.replace(/\\[^0-9A-Za-z\s]/g, '').replace(/<t:\d+:F>/g, '');
}

/** Signs with an effect: mentions, links, styles. Bold is ours, and comes in pairs. */
function marked(what: string, value: string): string[] {
  const left = unescaped(value).replace(/\*\*([^*]*)\*\*/g, '$1');
  return /[<>@*_~`|#[\]]|https?:\/\//.test(left) ? [`${what} has markup in it: ${left.slice(0, 80)}`] : [];
}

/** The embed limits count characters as Unicode units at worst. */
/** Messages sent with `wait`: Discord returns their ids, and allows edits. */
let posted = 0;

function answer({ method, path }: Got): Reply {
  const url = new URL(path, 'http://discord');
  const named = (id: string) => ({ status: 200, body: JSON.stringify({ id }) });
  if (method === 'POST') {
    if (url.searchParams.get('wait') !== 'true') return { status: 204, body: '' };
    posted += 1;
    return named(String(posted));
  }
  const id = /\/messages\/([0-9]+)$/.exec(url.pathname)?.[1];
  return id && Number(id) <= posted ? named(id) : { status: 404, body: '{"code":10008}' };
}

export const discordRules: ProviderRules = {
  judge: ({ method, path }, body) => {
    const isEdit = /\/messages\/[0-9]+$/.test(new URL(path, 'http://discord').pathname);
    if (method !== (isEdit ? 'PATCH' : 'POST')) return [`${method} ${path}`];
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
  answer,
  refused: { status: 400, body: '{"code":50035,"message":"Invalid Form Body"}' },
};
