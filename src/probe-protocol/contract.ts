// Browser-safe and probe-safe. The probe protocol (docs/rules/regions-and-probes.md#assignments,
// docs/rules/regions-and-probes.md#results-protocol).
import { type Static, Type } from 'typebox';
import { Capsule } from '../capsules/contract.ts';
import { ResponseExcerpt } from '../capsules/response-contract.ts';
import { CAUSE_LAYERS, CHECK_STATUSES } from '../domain/names.ts';
import { closed, Id, operation } from '../platform/contract.ts';

/** Milliseconds per phase of a check; a phase that did not happen is absent. */
export const Timings = Type.Object(
  {
    dns: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
    connect: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
    tls: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
    first_byte: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
    total: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
  },
  closed,
);
export type Timings = Static<typeof Timings>;

/** One assignment: the check, its interval in force, and its offset in the interval. */
export const Assignment = Type.Object({
  monitor_id: Type.String(),
  /** A probe shares its capacity fairly among organizations. An older server omits it; then all count as one. */
  organization_id: Type.Optional(Type.String()),
  /** The organizations of one owner share a single tenant's capacity. As of the time of this answer. */
  owner_id: Type.Optional(Type.String()),
  type: Type.String(),
  /** Unsealed: the probe needs the credentials of the check. */
  config: Type.Unknown(),
  interval_seconds: Type.Integer({ minimum: 1 }),
  /** The check runs at every server time t (ms) with (t − offset_ms) mod (interval_seconds × 1000) = 0. */
  offset_ms: Type.Integer({ minimum: 0 }),
});
export type Assignment = Static<typeof Assignment>;

export const Assignments = Type.Object({
  revision: Type.Integer(),
  /**
   * true: `monitors`, together with the following pages (`more`), is the complete share of this probe; drop all other
   * monitors.
   */
  full: Type.Boolean(),
  server_time_ms: Type.Integer(),
  /** Whether this region may connect to loopback and private addresses (docs/rules/regions-and-probes.md#private-targets). */
  allow_private_targets: Type.Boolean(),
  /** Whether answers of private targets may be kept (docs/rules/regions-and-probes.md#private-responses); absent: no. */
  keep_private_responses: Type.Optional(Type.Boolean()),
  monitors: Type.Array(Assignment),
  removed: Type.Array(Type.String()),
  /** true: there is another page; the next request with this `epoch` gets it at once. */
  more: Type.Optional(Type.Boolean()),
  /**
   * Identifies the database and the probes that share the region. The probe sends it back as `epoch`; if it has changed, the
   * answer is full: the share is a different one, or another database was restored.
   */
  epoch: Type.String(),
  /** host:port; tried when a check got no answer at all, to distinguish the probe's own network from the target's. */
  canaries: Type.Array(Type.String()),
  /** Checks on demand. Each goes to one probe, which runs it once, immediately; no result is stored. */
  tests: Type.Array(
    Type.Object({
      test_id: Type.String(),
      organization_id: Type.Optional(Type.String()),
      owner_id: Type.Optional(Type.String()),
      type: Type.String(),
      config: Type.Unknown(),
    }),
  ),
  /** Opened incidents whose failure capsule this probe, and no other, gathers once. An older probe does not answer. */
  capsules: Type.Optional(Type.Array(Type.Object({ capsule_id: Type.String(), monitor_id: Type.String() }))),
});
export type Assignments = Static<typeof Assignments>;

export const Result = Type.Object(
  {
    monitor_id: Id,
    /**
     * Server's clock, milliseconds: the scheduled time if the check started within half a second of it, so that the same
     * check by two probes of a region counts once; otherwise the start of the check.
     */
    checked_at_ms: Type.Integer({ minimum: 0, maximum: 253402300799999 }),
    status: Type.Enum([...CHECK_STATUSES]),
    latency_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
    response_code: Type.Optional(Type.Integer({ minimum: 0, maximum: 32767 })),
    failure_class: Type.Optional(Type.String({ maxLength: 64, pattern: '^[a-z0-9_]+$' })),
    cause_layer: Type.Optional(Type.Enum([...CAUSE_LAYERS])),
    detail: Type.Optional(Type.String({ maxLength: 1024 })),
    metric_value: Type.Optional(Type.Number({ minimum: -1e15, maximum: 1e15 })),
    timings_ms: Type.Optional(Timings),
    /** Of failed checks of type `http` whose config has `keep_response`; an older server, which sends none, gets none. */
    response_excerpt: Type.Optional(ResponseExcerpt),
  },
  closed,
);
export type Result = Static<typeof Result>;

/** One criterion of a check, shown to people to explain why it passed or failed. */
export const Judgement = Type.Object(
  {
    /** The criterion: "Status", "Header content-type", "Days left". */
    what: Type.String({ maxLength: 300 }),
    expected: Type.String({ maxLength: 1024 }),
    actual: Type.String({ maxLength: 1024 }),
    ok: Type.Boolean(),
  },
  closed,
);
export type Judgement = Static<typeof Judgement>;

const {
  monitor_id: _monitor,
  checked_at_ms: _at,
  response_excerpt: _excerpt,
  ...observed
} = Result.properties;
/** The outcome of one check, without monitor, time and response excerpt. */
export const Observed = Type.Object(observed, closed);
export type Observed = Static<typeof Observed>;

export const MAX_RESULTS_PER_POST = 5000;

export const ResultsPost = Type.Object(
  {
    probe_id: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9._-]+$' }),
    results: Type.Array(Type.Unknown(), { maxItems: MAX_RESULTS_PER_POST }),
  },
  closed,
);

export const ResultsReply = Type.Object({
  accepted: Type.Integer(),
  duplicates: Type.Integer(),
  ignored: Type.Integer(),
  refused: Type.Array(Type.Object({ index: Type.Integer(), error: Type.String() })),
  server_time_ms: Type.Integer(),
});
export type ResultsReply = Static<typeof ResultsReply>;

export const getAssignments = operation({
  id: 'getProbeAssignments',
  method: 'GET',
  path: '/probe/assignments',
  summary:
    'Assignments of this probe: all of them, or the changes since a revision (held open until there are any)',
  tag: 'Probes',
  right: 'probe',
  resource: 'none',
  query: Type.Object(
    {
      since: Type.Optional(Type.Integer({ minimum: 0 })),
      wait: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 60, description: 'seconds to hold the request open' }),
      ),
      probe_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          pattern: '^[A-Za-z0-9._-]+$',
          description: 'takes a share of the region’s monitors; without it, the answer has all of them',
        }),
      ),
      epoch: Type.Optional(Type.String({ maxLength: 100, description: 'of the previous answer' })),
      clock_ms: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 253402300799999,
          description:
            'what the clock of the probe’s machine shows as it asks, milliseconds; for the operator to see',
        }),
      ),
    },
    closed,
  ),
  status: 200,
  reply: Assignments,
});

export const leaveProbe = operation({
  id: 'leaveProbe',
  method: 'POST',
  path: '/probe/leave',
  summary: 'This probe stops: the others of its region take over its share at once',
  tag: 'Probes',
  right: 'probe',
  resource: 'none',
  body: Type.Object(
    { probe_id: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9._-]+$' }) },
    closed,
  ),
  status: 200,
  reply: Type.Object({ left: Type.Boolean({ description: 'false: it had no share' }) }),
});

export const postResults = operation({
  id: 'postProbeResults',
  method: 'POST',
  path: '/probe/results',
  summary: 'Results of checks; acknowledged after the commit, never before',
  tag: 'Probes',
  right: 'probe',
  resource: 'none',
  body: ResultsPost,
  status: 200,
  reply: ResultsReply,
  refusals: [429, 503],
  bodyLimit: 8 * 1024 * 1024,
});

export const postTestResult = operation({
  id: 'postProbeTestResult',
  method: 'POST',
  path: '/probe/test-results',
  summary: 'The outcome of a check that somebody waits for',
  tag: 'Probes',
  right: 'probe',
  resource: 'none',
  body: Type.Object(
    {
      probe_id: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9._-]+$' }),
      test_id: Type.String({ maxLength: 200 }),
      observed: Observed,
      judgements: Type.Array(Judgement, { maxItems: 200 }),
      /** Whether the check connected to a private address. Absent: it may have. */
      reached_private: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({ accepted: Type.Boolean({ description: 'false: nobody is waiting for it any more' }) }),
});

export const postCapsule = operation({
  id: 'postProbeCapsule',
  method: 'POST',
  path: '/probe/capsules',
  summary: 'What was looked up when an incident opened; taken once, from the probe that was asked',
  tag: 'Probes',
  right: 'probe',
  resource: 'none',
  body: Type.Object(
    {
      probe_id: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9._-]+$' }),
      capsule_id: Type.String({ maxLength: 200 }),
      capsule: Capsule,
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    accepted: Type.Boolean({ description: 'false: it was not asked for, or is there already' }),
  }),
  bodyLimit: 64 * 1024,
});
