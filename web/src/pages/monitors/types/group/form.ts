// The form of the `group` type.
import { GroupConfig } from '#src/monitors/types/group/config.ts';
import { type Amount, orEmpty, orNull } from '#web/pages/monitors/form/amounts.ts';
import { NEEDED, numberProblem } from '#web/pages/monitors/form/checks.ts';
import { typeForm } from '../type-form.ts';

export type GroupValues = { members: string[]; rule: GroupConfig['rule']; value: Amount };

export const form = typeForm<GroupValues, GroupConfig>({
  type: 'group',
  schema: GroupConfig,
  start: { members: [] },
  read: ({ members, rule, value }) => ({ members, rule, value: orEmpty(value) }),
  write: ({ members, rule, value }) => ({ members, rule, value: rule === 'count' ? orNull(value) : null }),
  problems: ({ members, rule, value }) => ({
    members: members.length === 0 ? { key: NEEDED } : null,
    value: rule === 'count' ? numberProblem(value, 1, Math.max(1, members.length), { needed: true }) : null,
  }),
  sections: [],
});
