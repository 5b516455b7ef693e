// The values of the `http` form: lists instead of maps, numbers or '' for "not set".
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { Amount } from '#web/pages/monitors/form/amounts.ts';
import type { HeaderLine } from '#web/pages/monitors/form/header-lines.ts';

export const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'exists', 'matches'] as const;
export type Operator = (typeof OPERATORS)[number];

export type Assertion<Key extends 'path' | 'name'> = { [K in Key]: string } & { op: Operator; value: string };

export type HttpValues = {
  url: string;
  method: HttpConfig['method'];
  headers: HeaderLine[];
  body: string;
  auth: { kind: 'none' | 'basic' | 'bearer'; username: string; password: string; token: string };
  timeout_ms: Amount;
  follow_redirects: boolean;
  max_redirects: Amount;
  ip_family: HttpConfig['ip_family'];
  cache_bust: boolean;
  keep_response: boolean;
  expected_status: string[];
  degraded_after_ms: Amount;
  keyword: { text: string; mode: 'contains' | 'not_contains' | 'regex'; case_sensitive: boolean };
  json_assertions: Assertion<'path'>[];
  header_assertions: Assertion<'name'>[];
  tls: {
    verify: boolean;
    min_days_left: Amount;
    server_name: string;
    ca_pem: string;
    client_cert_pem: string;
    client_key_pem: string;
  };
};
