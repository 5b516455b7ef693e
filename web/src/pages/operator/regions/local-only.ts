/** Whether only the server's own machine can reach the server's address in a command for another machine. */
export function isLocalOnly(command: string): boolean {
  const url = /https?:\/\/[^\s'"|]+/.exec(command)?.[0];
  if (url === undefined || !URL.canParse(url)) return false;
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
