// The rules of type `group` that its schema cannot state (docs/rules/monitor-types.md#group). references.ts looks up its
// members.
import { invalidConfig, type TypeRules } from '../rules.ts';
import { GroupConfig } from './config.ts';

export const group: TypeRules<GroupConfig> = {
  type: 'group',
  schema: GroupConfig,
  secrets: () => [],
  checkTarget: () => {},
  check({ members, rule, value }) {
    if (rule !== 'count') return;
    if (value === null) invalidConfig('config.value', 'is required with the rule count');
    if (value > Math.max(1, members.length))
      invalidConfig('config.value', `asks for ${value} failed members, and the group has ${members.length}`);
  },
};
