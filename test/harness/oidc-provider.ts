// A real OpenID Connect provider on a free loopback port; the test chooses the person who signs in.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { makeClient } from './client.ts';

export type ProviderAccount = { sub: string; email?: string; email_verified?: boolean; name?: string };

export type TestProvider = {
  issuer: string;
  /** The person who signs in there from now on; null: they refuse. */
  person: ProviderAccount | null;
  /** Goes through the provider's pages as a new browser would; returns the address that it redirects the browser to. */
  visit: (url: string) => Promise<URL>;
  stop: () => Promise<void>;
};

export const CLIENT = { id: 'tocsin', secret: 'a secret of the client, long enough' };

/** Starts the provider for one client with this callback. */
export async function startProvider(redirectUri: string): Promise<TestProvider> {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, ProviderAccount>();
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the provider’s cookies'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...accounts.get(sub), sub }) }),
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const state: TestProvider = {
    issuer,
    person: null,
    async visit(url) {
      const browser = makeClient(issuer);
      let next = new URL(url);
      while (next.origin === issuer) {
        const { headers, status, body } = await browser.send('GET', next.pathname + next.search);
        const location = headers.get('location');
        if (!location) throw new Error(`${next.pathname} answered ${status}: ${JSON.stringify(body)}`);
        next = new URL(location, issuer);
      }
      return next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    const { person } = state;
    if (person) accounts.set(person.sub, person);
    const result = person
      ? { login: { accountId: person.sub } }
      : { error: 'access_denied', error_description: 'they changed their mind' };
    void provider.interactionFinished(request, response, result);
  });
  return state;
}
