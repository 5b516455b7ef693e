import { ALARM_GATE_ORIGINS } from '../domain/names.ts';
import { refuse } from '../platform/refusals.ts';
import { quoted } from './quoted.ts';
import type { AlarmGate } from './row.ts';

/** Known origins, each once, and a grace of at most a day (docs/rules/confirmation.md#alarm-gate). */
export function admitGate(gate: AlarmGate | null): void {
  if (!gate) return;
  for (const origin of gate.origins)
    if (!(ALARM_GATE_ORIGINS as readonly string[]).includes(origin))
      refuse(
        'invalid_request',
        `alarm_gate.origins names ${quoted(origin)}; origins are ${ALARM_GATE_ORIGINS.join(', ')}.`,
        { field: 'alarm_gate.origins' },
      );
  if (new Set(gate.origins).size !== gate.origins.length)
    refuse('invalid_request', 'alarm_gate.origins must not name an origin twice.', {
      field: 'alarm_gate.origins',
    });
  if (gate.grace_seconds !== null && (gate.grace_seconds < 0 || gate.grace_seconds > 86_400))
    refuse('invalid_request', 'alarm_gate.grace_seconds must be between 0 and 86400.', {
      field: 'alarm_gate.grace_seconds',
    });
}
