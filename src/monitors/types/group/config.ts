// Browser-safe. Config of type `group` (docs/rules/monitor-types.md#group): derived from its members.
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { config } from '../parts.ts';

export const GroupConfig = config({
  /** At least one when written; none once the last member was deleted. */
  members: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200 }),
  rule: Type.Enum(['any_failed', 'all_failed', 'count'], { default: 'any_failed' }),
  /** The number of failed members that makes the group fail, with the rule count. */
  value: Nullable(Type.Integer({ minimum: 1, maximum: 200 })),
});
export type GroupConfig = Static<typeof GroupConfig>;
