// The rules of type `heartbeat` that its schema cannot state (docs/rules/monitor-types.md#heartbeat).
import { cronProblem, isTimezone } from '#src/domain/cron.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { HeartbeatConfig } from './config.ts';

export const heartbeat: TypeRules<HeartbeatConfig> = {
  type: 'heartbeat',
  schema: HeartbeatConfig,
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
