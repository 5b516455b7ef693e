/** `host:port`, or the host alone if the port is null; IPv6 in brackets. */
export function hostPortText({ host, port }: { host: string; port: number | null }): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === null ? name : `${name}:${port}`;
}
