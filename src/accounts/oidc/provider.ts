// The OIDC provider of this installation: openid-client does the protocol, our one way out carries it.
import type { Configuration, CustomFetchOptions } from 'openid-client';
import { request } from '#src/platform/outbound/request.ts';

export type OidcSettings = Readonly<{
  /** https, or http on a loopback address. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The provider's name on the sign-in page. */
  name: string;
}>;

/** Binds the provider's answer to the browser that asked. */
export type Checks = { state: string; nonce: string; codeVerifier: string };

/** The person who signed in, according to the provider. */
export type Claims = {
  issuer: string;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
};

export type OidcProvider = {
  /** Where the browser is sent to sign in. Rejects while the provider cannot be reached. */
  authorizationUrl: (redirectUri: string, checks: Checks) => Promise<string>;
  /**
   * Redeems the code of the address that the provider sent the browser back to. State, issuer, audience, nonce, PKCE and
   * the signature of the id_token are verified; rejects where one does not fit, or the provider reports an error.
   */
  redeem: (cameBackTo: URL, checks: Checks) => Promise<Claims>;
};

/** Endpoints and key locations change seldom; the keys themselves are looked after by openid-client. */
const DISCOVERY_VALID_MS = 3600_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/** Contacts the provider only when somebody signs in with it: it may be down when we start. */
export function makeOidcProvider(settings: OidcSettings, clock: () => Date): OidcProvider {
  let known: { configuration: Configuration; atMs: number } | null = null;

  async function discovered() {
    const client = await import('openid-client');
    const nowMs = clock().getTime();
    if (!known || nowMs - known.atMs > DISCOVERY_VALID_MS) {
      const issuer = new URL(settings.issuer);
      const configuration = await client.discovery(
        issuer,
        settings.clientId,
        undefined,
        client.ClientSecretBasic(settings.clientSecret),
        {
          timeout: TIMEOUT_MS / 1000,
          [client.customFetch]: carried,
          execute: [
            // The signature of the id_token is verified too, not only the connection that it came over.
            client.enableNonRepudiationChecks,
            ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
          ],
        },
      );
      known = { configuration, atMs: nowMs };
    }
    return { client, configuration: known.configuration };
  }

  return {
    async authorizationUrl(redirectUri, { state, nonce, codeVerifier }) {
      const { client, configuration } = await discovered();
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async redeem(cameBackTo, { state, nonce, codeVerifier }) {
      const { client, configuration } = await discovered();
      const tokens = await client.authorizationCodeGrant(configuration, cameBackTo, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('the provider sent no id_token');
      // Many providers keep the address for their userinfo endpoint.
      const more =
        claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {};
      const all: Record<string, unknown> = { ...more, ...claims };
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: textOf(all.email),
        emailVerified: all.email_verified === true,
        name: textOf(all.name) ?? textOf(all.preferred_username),
      };
    },
  };
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);

/** Private addresses are allowed: the operator named the provider. */
async function carried(url: string, options: CustomFetchOptions): Promise<Response> {
  const { body, method, headers, signal } = options;
  const sent = body === null || body === undefined ? undefined : Buffer.from(String(body));
  const reply = await request({
    url,
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    body: sent,
    policy: { allowPrivate: true },
    timeoutMs: TIMEOUT_MS,
    maxReplyBytes: MAX_BYTES,
    signal,
  });
  const answered = new Headers();
  for (const [name, value] of Object.entries(reply.headers))
    if (value !== undefined) answered.set(name, Array.isArray(value) ? value.join(', ') : value);
  const noBody = [204, 205, 304].includes(reply.status);
  return new Response(noBody ? null : reply.bodyText, { status: reply.status, headers: answered });
}
