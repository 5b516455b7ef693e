// Requests under a host name of the test's choice: fetch does not let a caller set the Host header.
import { request } from 'node:http';

export type Named = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/** Requests `path` from the server at `url` under the name `host`. */
export function askByName(
  url: string,
  host: string,
  path: string,
  given: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Named> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<Named>();
  const sent = request(
    {
      hostname,
      port,
      path,
      method: given.method ?? 'GET',
      headers: { ...given.headers, host },
      agent: false,
    },
    (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, text: Buffer.concat(parts).toString() });
      });
    },
  );
  sent.on('error', reject);
  sent.end(given.body);
  return promise;
}
