// A person with a browser session, as far as HTTP is concerned.

export type Answer<T = unknown> = { status: number; body: T; headers: Headers };

export type Client = {
  /** Sends JSON and reads JSON; never throws for a status. */
  send: <T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<T>>;
  /** Like `send`, but a status outside 2xx fails with the answer. */
  ok: <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;
  cookie: () => string;
};

/** A client of an installation; signed out until it signs in, or by `kept` cookies. `always` goes with every request. */
export function makeClient(
  url: string,
  always: Record<string, string> = {},
  kept: Iterable<[name: string, value: string]> = [],
): Client {
  const cookies = new Map(kept);
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookies.size > 0 ? { cookie: cookie() } : {}),
        ...always,
        ...headers,
      },
      ...(body === undefined ? {} : { body: asSent(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      body: (isJson && text !== '' ? JSON.parse(text) : text) as never,
      headers: response.headers,
    };
  };

  return withSend({ cookie }, send);
}

/** Text and bytes as they are, everything else as JSON. */
const asSent = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);

/** As people do: if a fresh sign-in is required, proves the identity again and repeats the request. */
export function provingAgain(client: Client, prove: () => Promise<unknown>): Client {
  return withSend(client, async (...asked) => {
    const first = await client.send<never>(...asked);
    if ((first.body as { error?: string } | null)?.error !== 'fresh_sign_in_required') return first;
    await prove();
    return client.send(...asked);
  });
}

/** The client with another `send`. */
function withSend({ cookie }: Pick<Client, 'cookie'>, send: Client['send']): Client {
  return {
    send,
    cookie,
    async ok(method, path, body) {
      const answer = await send(method, path, body);
      if (answer.status < 200 || answer.status > 299)
        throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body as never;
    },
  };
}

/** Signs in with e-mail and password. */
export async function signIn(client: Client, email: string, password: string): Promise<void> {
  await client.ok('POST', '/auth/sign-in/email', { email, password });
}
