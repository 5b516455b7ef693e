// The catalogue of refusals: every stable code a client can meet, and the one place that knows HTTP statuses
// (docs/rules/errors-and-conventions.md#error-codes).
import type { ErrorBody } from './contract.ts';

const STATUS = {
  unauthenticated: 401,
  key_not_accepted: 401,
  forbidden: 403,
  fresh_sign_in_required: 403,
  not_found: 404,
  plan_limit: 402,
  plan_capability: 402,
  too_many_regions: 402,
  slug_taken: 409,
  already_member: 409,
  already_invited: 409,
  duplicate_domain: 409,
  slug_reserved: 409,
  organization_limit: 409,
  limit_reached: 409,
  project_not_empty: 409,
  last_owner: 409,
  profile_in_use: 409,
  origin_not_in_gate: 409,
  target_inactive: 409,
  incident_closed: 409,
  incident_open: 409,
  window_cancelled: 409,
  drill_running: 409,
  alarm_ringing: 409,
  example_running: 409,
  example_unavailable: 409,
  empty_slug: 400,
  invalid_request: 400,
  reserved_domain: 400,
  no_resolvable_member: 400,
  not_rotatable: 400,
  // Monitor write refusals.
  quota_reached: 400,
  name_taken: 400,
  unknown_type: 400,
  empty_name: 400,
  unknown_region: 400,
  internal_region: 400,
  alarm_standard_unreachable: 400,
  invalid_target: 400,
  unknown_agent_metric: 400,
  invalid_service_name: 400,
  foreign_agent: 400,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  slug_change_limit: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type RefusalCode = keyof typeof STATUS;

export type RefusalDetails = {
  field?: string;
  limit?: number;
  reason?: string;
  /** Seconds, sent as Retry-After. */
  retryAfterSeconds?: number;
};

/** A refusal with its stable code; thrown anywhere, answered in one place. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly details: RefusalDetails;

  constructor(
    code: RefusalCode,
    message: string,
    details: RefusalDetails = {},
    status: number = STATUS[code],
  ) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** The body every client sees. */
  body(): ErrorBody {
    const { field, limit, reason } = this.details;
    return {
      error: this.code,
      message: this.message,
      ...(field === undefined ? {} : { field }),
      ...(limit === undefined ? {} : { limit }),
      ...(reason === undefined ? {} : { reason }),
    };
  }
}

/** Throws a refusal; the return type lets it stand where a value is expected. */
export function refuse(code: RefusalCode, message: string, details: RefusalDetails = {}): never {
  throw new Refusal(code, message, details);
}

/** 404 for an unknown resource, a malformed id, or a child that is not under the parent named in the path. */
export function notFound(what: string): never {
  throw new Refusal('not_found', `There is no such ${what.replaceAll('_', ' ')}.`);
}
