// Markdown that people write, as HTML for the dashboard and for public pages alike. Pure.
import MarkdownIt, { type Token } from 'markdown-it';

/** Nothing that runs, and nothing that is loaded: a link leads to the web or to a mail. */
const LINK = /^(?:https?:\/\/|mailto:)/i;

type Markdown = InstanceType<typeof MarkdownIt>;

let made: Markdown | undefined;

/**
 * HTML in the text stays text (`html: false`). Pictures are off: they would report every reader to whoever serves them. So
 * is code by indentation, because pasted lines are often indented.
 */
function makeMarkdown(): Markdown {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable(['image', 'code']);
  markdown.validateLink = (url) => LINK.test(url.trim());
  // Only an address with a scheme becomes a link: a file name such as "main.rs" does not.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  markdown.core.ruler.push('plain_attributes', ({ tokens, env }) => {
    for (const token of tokens) {
      if (/^heading_/.test(token.type)) token.tag = `h${(env as Place).headings}`;
      // Alignment comes as a style, which the policy of public pages forbids.
      if (/^t[hd]_open$/.test(token.type)) token.attrs = null;
      keepLinks(token.children ?? []);
    }
  });
  return markdown;
}

/** Of a link without an address, `[text]()`, only its text stays. Links are never inside each other. */
function keepLinks(tokens: readonly Token[]): void {
  let leads = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      leads = LINK.test(String(token.attrGet('href') ?? ''));
      if (leads) secure(token);
    }
    if (token.type === 'link_open' || token.type === 'link_close') token.hidden = !leads;
  }
}

/** The site that is linked gets no hold of the window, and no standing from the link. */
function secure(link: Token): void {
  link.attrSet('target', '_blank');
  link.attrSet('rel', 'noopener nofollow');
}

type Place = {
  /** The level of every heading in the text: one below the heading that it is under. */
  headings: 3 | 4 | 5;
};

/** HTML without scripts, styles, pictures or foreign attributes, whatever the text. */
export function renderMarkdown(text: string, place: Place): string {
  made ??= makeMarkdown();
  return made.render(text, { ...place });
}
