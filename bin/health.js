// Whether the server of this container serves, by its own /readyz: exits with 0 if it does, else with 1 and why it does not.
const { PORT } = process.env;
const HOST = process.env.HOST?.trim().replace(/^\[(.+)\]$/, '$1');
const host = !HOST || HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST;
const url = `http://${host.includes(':') ? `[${host}]` : host}:${PORT?.trim() || 3300}/readyz`;
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  if (!answer.ok) {
    console.error((await answer.json()).reason);
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`${url} does not answer: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
