/** Whether the server's address in a probe's command is one that only the server's own machine can reach. */
export function isLocalOnly(command: string): boolean {
  const url = / --url (\S+)/.exec(command)?.[1];
  if (url === undefined || !URL.canParse(url)) return false;
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
