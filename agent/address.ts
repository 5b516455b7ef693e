// The address of the server as people write it.

export const isHttp = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** Says why it cannot be one. */
export const notHttp = (url: string): string =>
  `--url ${JSON.stringify(url)} is not an http or https address`;

/** Whether two of them lead to the same server; a slash at the end makes no difference. */
export const isSameServer = (one: string, other: string): boolean => plainUrl(one) === plainUrl(other);

function plainUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}
