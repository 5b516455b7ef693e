import { UNBOUNDED } from '#probe/bodies.ts';
import { decoded } from '#probe/charset.ts';
import type { CheckContext } from '#probe/check-outcome.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { MonotonicMs } from '#src/platform/outbound/deadline.ts';
import { plainBody } from '../http/content.ts';
import { answerOf } from '../http/fetch.ts';

/** RDAP documents and IANA's list of servers are far smaller. */
const DOCUMENT_BYTES = 1_048_576;
const MAX_REDIRECTS = 3;

export type Document = { status: number; mediaType: string; text: string };

/** Reads one JSON document through the egress module, following vetted redirects; throws OutboundFailure. */
export async function fetchDocument(
  url: string,
  context: CheckContext,
  deadlineAtMs: MonotonicMs,
): Promise<Document> {
  const answer = await answerOf(request(url), context, {
    deadlineAtMs,
    progress: { timings: {}, status: undefined },
    // Registries are trusted, and their answers are read at once and not held.
    reservation: UNBOUNDED,
    decodes: true,
    bodyUse: () => 'needed',
  });
  const type = answer.headers['content-type'];
  const { bytes, charset } = await plainBody(answer.body, answer.headers['content-encoding'], type, {
    maxBodyBytes: DOCUMENT_BYTES,
    reservation: UNBOUNDED,
  });
  const text = decoded(bytes, charset);
  const mediaType = (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return { status: answer.status, mediaType, text };
}

function request(url: string): HttpConfig {
  return {
    url,
    method: 'GET',
    headers: { Accept: 'application/rdap+json, application/json' },
    secret_headers: [],
    body: null,
    auth: null,
    timeout_ms: 0,
    follow_redirects: true,
    max_redirects: MAX_REDIRECTS,
    expected_status: [],
    degraded_after_ms: null,
    keyword: null,
    json_assertions: [],
    header_assertions: [],
    tls: { verify: true },
    ip_family: 'auto',
    max_body_bytes: DOCUMENT_BYTES,
    cache_bust: false,
    keep_response: false,
  };
}
