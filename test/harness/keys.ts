// API keys created as people create them, and clients that send one.
import type { createApiKey } from '#src/api-keys/contract.ts';
import type { BodyOf, ReplyOf } from '#src/platform/contract.ts';
import { type Client, makeClient } from './client.ts';

type Asked = Partial<BodyOf<typeof createApiKey>>;

export type KeyHolder = Client & {
  id: string;
  /** The key itself. */
  key: string;
  headers: { authorization: string };
};

/** A client of an installation that sends this key, and no cookie. */
export function clientWithKey(url: string, key: string): Client {
  const headers = { authorization: `Bearer ${key}` };
  return makeClient(url, headers);
}

/** Has a person create a key of an organization, and returns a client with it; the test names every scope that it needs. */
export async function makeKeyHolder(
  app: { url: string },
  maker: Client,
  orgId: string,
  asked: Asked & Pick<BodyOf<typeof createApiKey>, 'scopes'>,
): Promise<KeyHolder> {
  const body = { name: 'Robot', ...asked };
  const made = await maker.ok<ReplyOf<typeof createApiKey>>('POST', `/organizations/${orgId}/api-keys`, body);
  return {
    ...clientWithKey(app.url, made.key),
    id: made.id,
    key: made.key,
    headers: { authorization: `Bearer ${made.key}` },
  };
}
