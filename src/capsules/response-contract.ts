// Browser-safe and probe-safe. The kept part of a target's response.
import { type Static, Type } from 'typebox';
import { closed, Nullable } from '../platform/contract.ts';

/** The response of a failing target, without credentials (docs/rules/monitor-types.md#what-a-failing-target-answered). */
export const ResponseExcerpt = Type.Object(
  {
    status_code: Type.Integer({ minimum: 0, maximum: 32767 }),
    headers: Type.Array(
      Type.Object({ name: Type.String({ maxLength: 200 }), value: Type.String({ maxLength: 600 }) }, closed),
      { maxItems: 64, description: 'as sent, in their order; credentials masked' },
    ),
    body: Nullable(
      Type.String({ maxLength: 4096, description: 'the first bytes of a text; credentials masked' }),
    ),
    body_kind: Type.Enum(['text', 'empty', 'binary', 'unread'], {
      description: 'why there is no body: the target sent none, or no text; or none came in time',
    }),
    truncated: Type.Boolean({ description: 'the target sent more than is kept' }),
    withheld: Type.Boolean({
      description:
        'the target is in a private network whose answers this region does not keep: there are no headers and no body',
    }),
    private: Type.Boolean({ description: 'the check connected to a private address' }),
  },
  closed,
);
export type ResponseExcerpt = Static<typeof ResponseExcerpt>;
