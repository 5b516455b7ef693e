// An API call, written for a shell and for JavaScript. Pure.

const SINGLE_QUOTE = /'/g;

/** For a POSIX shell; reads the key from the environment. */
export const curlCall = (url: string): string =>
  `curl -H "Authorization: Bearer $TOCSIN_KEY" \\\n  '${url.replace(SINGLE_QUOTE, "'\\''")}'`;

/** For Node and Deno; reads the key from the environment. */
export const fetchCall = (url: string): string =>
  [
    `const answer = await fetch(${JSON.stringify(url)}, {`,
    "  headers: { authorization: 'Bearer ' + process.env.TOCSIN_KEY },",
    '});',
    'console.log(await answer.json());',
  ].join('\n');
