import type { Answer, Exchange } from './channel.ts';

/** A JSON document as one request; the same value gives the same bytes. */
export function postJson(url: string, value: unknown, headers: Record<string, string> = {}): Exchange {
  return {
    url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Tocsin-Webhook/1.0',
      ...headers,
    },
    body: JSON.stringify(value),
  };
}

/** The body as a JSON object; null if it is not one. */
export function objectIn({ body }: Answer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The error class of an answer that is 2xx although the provider did not accept the message. */
export const NOT_ACCEPTED = 'not_accepted';
