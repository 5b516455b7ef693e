// One http check, with default values for the rest of its config.

import type { CheckContext, CheckOutcome } from '#probe/check-outcome.ts';
import { check } from '#probe/types.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';

/** A complete config, as the server stores it with the defaults. */
export function httpConfig(given: Partial<HttpConfig> & { url: string }): HttpConfig {
  return {
    method: 'GET',
    headers: {},
    secret_headers: [],
    body: null,
    auth: null,
    timeout_ms: 5_000,
    follow_redirects: true,
    max_redirects: 10,
    expected_status: ['200-299'],
    degraded_after_ms: null,
    keyword: null,
    json_assertions: [],
    header_assertions: [],
    tls: { verify: true },
    ip_family: 'auto',
    max_body_bytes: 1_048_576,
    cache_bust: false,
    keep_response: true,
    ...given,
  };
}

/** Checks as the probe does; private targets are allowed by default. */
export function checkHttp(
  config: Partial<HttpConfig> & { url: string },
  context: Partial<CheckContext> = {},
): Promise<CheckOutcome> {
  return check('http', httpConfig(config), { policy: { allowPrivate: true }, ...context });
}
