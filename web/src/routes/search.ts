// Search parameters of an address, exactly as a page reads them.

/**
 * Makes a reader the only source of a page's parameters. The router merges what a reader answers into what the address
 * said, so what a reader merely omits would reach the page unread.
 */
export const onlyFrom =
  <Read extends object>(read: (search: Record<string, unknown>) => Read) =>
  (search: Record<string, unknown>): Read => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  });
