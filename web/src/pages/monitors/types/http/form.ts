// The form of the `http` type.
import { HttpConfig, httpDestination } from '#src/monitors/types/http/config.ts';
import { orEmpty, orNull } from '#web/pages/monitors/form/amounts.ts';
import { neededProblem, numberProblem, urlProblem } from '#web/pages/monitors/form/checks.ts';
import { readHeaders, writeHeaders } from '#web/pages/monitors/form/header-lines.ts';
import { writeTimeout } from '#web/pages/monitors/form/timing.ts';
import { typeForm } from '../type-form.ts';
import { jsonToText, textToJson } from './json-text.ts';
import { expectationSummary, requestSummary, tlsSummary } from './summaries.ts';
import type { HttpValues } from './values.ts';

const NO_KEYWORD = { text: '', mode: 'contains', case_sensitive: false } as const;

/** The form's values of an `http` config. */
export function read(config: HttpConfig): HttpValues {
  const { auth, tls } = config;
  return {
    url: config.url,
    method: config.method,
    headers: readHeaders(config.headers, config.secret_headers),
    body: config.body ?? '',
    auth: {
      kind: auth?.kind ?? 'none',
      username: auth?.kind === 'basic' ? auth.username : '',
      password: auth?.kind === 'basic' ? auth.password : '',
      token: auth?.kind === 'bearer' ? auth.token : '',
    },
    timeout_ms: config.timeout_ms,
    follow_redirects: config.follow_redirects,
    max_redirects: config.max_redirects,
    ip_family: config.ip_family,
    cache_bust: config.cache_bust,
    keep_response: config.keep_response,
    expected_status: config.expected_status,
    degraded_after_ms: orEmpty(config.degraded_after_ms),
    keyword: config.keyword ?? NO_KEYWORD,
    json_assertions: config.json_assertions.map(({ path, op, value }) => ({
      path,
      op,
      value: jsonToText(value),
    })),
    header_assertions: config.header_assertions.map(({ name, op, value }) => ({
      name,
      op,
      value: value ?? '',
    })),
    tls: {
      verify: tls.verify,
      min_days_left: orEmpty(tls.min_days_left),
      server_name: orEmpty(tls.server_name),
      ca_pem: orEmpty(tls.ca_pem),
      client_cert_pem: orEmpty(tls.client_cert_pem),
      client_key_pem: orEmpty(tls.client_key_pem),
    },
  };
}

function authOf(auth: HttpValues['auth']): HttpConfig['auth'] {
  if (auth.kind === 'basic') return { kind: 'basic', username: auth.username, password: auth.password };
  if (auth.kind === 'bearer') return { kind: 'bearer', token: auth.token };
  return null;
}

function write(values: HttpValues): Record<string, unknown> {
  const { tls } = values;
  const headers = writeHeaders(values.headers);
  return {
    url: values.url.trim(),
    method: values.method,
    headers: headers.map,
    secret_headers: headers.secret,
    body: orNull(values.body),
    auth: authOf(values.auth),
    ...writeTimeout(values.timeout_ms),
    follow_redirects: values.follow_redirects,
    ...(values.max_redirects === '' ? {} : { max_redirects: values.max_redirects }),
    ip_family: values.ip_family,
    cache_bust: values.cache_bust,
    keep_response: values.keep_response,
    expected_status: values.expected_status,
    degraded_after_ms: orNull(values.degraded_after_ms),
    keyword: values.keyword.text === '' ? null : values.keyword,
    json_assertions: values.json_assertions.map(({ path, op, value }) =>
      op === 'exists' ? { path, op } : { path, op, value: op === 'matches' ? value : textToJson(value) },
    ),
    header_assertions: values.header_assertions.map(({ name, op, value }) =>
      op === 'exists' ? { name, op } : { name, op, value },
    ),
    tls: {
      verify: tls.verify,
      min_days_left: orNull(tls.min_days_left),
      server_name: orNull(tls.server_name.trim()),
      ca_pem: orNull(tls.ca_pem),
      client_cert_pem: orNull(tls.client_cert_pem),
      client_key_pem: orNull(tls.client_key_pem),
    },
  };
}

/** The missing values of a row, by path. */
function emptiesOf<Line>(
  list: string,
  lines: readonly Line[],
  needs: (line: Line) => Record<string, string>,
) {
  return Object.fromEntries(
    lines.flatMap((line, at) =>
      Object.entries(needs(line)).map(([field, value]) => [`${list}.${at}.${field}`, neededProblem(value)]),
    ),
  );
}

export const form = typeForm<HttpValues, HttpConfig>({
  type: 'http',
  schema: HttpConfig,
  start: { url: '' },
  read,
  write,
  destination: httpDestination,
  problems: (values) => ({
    url: urlProblem(values.url, ['http', 'https']),
    timeout_ms: numberProblem(values.timeout_ms, 100, 300_000),
    degraded_after_ms: numberProblem(values.degraded_after_ms, 1, 300_000),
    max_redirects: numberProblem(values.max_redirects, 0, 10),
    expected_status: values.expected_status.every((each) => /^[1-5]\d\d(-[1-5]\d\d)?$/.test(each))
      ? values.expected_status.length === 0
        ? { key: 'problems.needed' }
        : null
      : { key: 'problems.statusRange' },
    'tls.min_days_left': numberProblem(values.tls.min_days_left, 0, 3650),
    ...emptiesOf('json_assertions', values.json_assertions, ({ path }) => ({ path })),
    ...emptiesOf('header_assertions', values.header_assertions, ({ name }) => ({ name })),
  }),
  sections: [
    {
      id: 'request',
      title: (t) => t('form.request'),
      summary: requestSummary,
      fields: [
        'method',
        'headers',
        'secret_headers',
        'body',
        'auth',
        'timeout_ms',
        'follow_redirects',
        'max_redirects',
        'ip_family',
        'cache_bust',
        'keep_response',
      ],
    },
    {
      id: 'expectation',
      title: (t) => t('form.expectation'),
      summary: expectationSummary,
      fields: ['expected_status', 'degraded_after_ms', 'keyword', 'json_assertions', 'header_assertions'],
    },
    {
      id: 'tls',
      title: (t) => t('form.tls.title'),
      summary: (t, _formats, values) => tlsSummary(t, values),
      fields: ['tls'],
    },
  ],
  aliases: { keyword: 'keyword.text' },
});
