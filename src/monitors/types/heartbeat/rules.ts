// What a monitor of type `heartbeat` accepts beyond its schema (docs/rules/monitor-types.md#heartbeat).
import { cronProblem, isTimezone } from '#src/domain/cron.ts';
import { completed } from '../completed.ts';
import { isObject } from '../headers.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { HeartbeatConfig } from './config.ts';

const complete = completed(HeartbeatConfig);

export const heartbeat: TypeRules<HeartbeatConfig> = {
  type: 'heartbeat',
  schema: HeartbeatConfig,
  complete(given) {
    const { schedule } = given;
    const isCron = isObject(schedule) && 'kind' in schedule && schedule.kind === 'cron';
    return complete(isCron ? { ...given, schedule: { timezone: 'UTC', ...schedule } } : given);
  },
  secrets: () => [],
  checkTarget(config) {
    if (config.ping_url !== undefined) invalidConfig('config.ping_url', 'is read-only');
  },
  check({ schedule }) {
    if (schedule.kind !== 'cron') return;
    if (!isTimezone(schedule.timezone))
      invalidConfig('config.schedule.timezone', 'must be an IANA time zone such as Europe/Berlin');
    const problem = cronProblem(schedule.expression);
    if (problem !== null) invalidConfig('config.schedule.expression', problem);
  },
};
