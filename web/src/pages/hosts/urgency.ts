// The order of the list of hosts: those that need attention come first.
import type { Agent } from '#src/agents/contract.ts';
import { CRITICAL_PERCENT, fullestDisk, hostState } from './host-state.ts';

export type ListedHost = {
  agent: Agent;
  /** Its monitors that are down now. */
  failing: number;
};

/** The highest of processor, memory and fullest disk; 0 while unknown. */
export function hottest(agent: Agent): number {
  return Math.max(agent.last_cpu_pct ?? 0, agent.last_mem_pct ?? 0, fullestDisk(agent).percent ?? 0);
}

/** Silent, then with failing monitors, then nearly full, then outdated, then all others. */
function rank({ agent, failing }: ListedHost): number {
  if (hostState(agent) === 'silent') return 0;
  if (failing > 0) return 1;
  if (agent.online && hottest(agent) >= CRITICAL_PERCENT) return 2;
  return agent.outdated ? 3 : 4;
}

/** For `sort`; equal ones by name. */
export function byUrgency(a: ListedHost, b: ListedHost): number {
  const first = rank(a);
  const between = first - rank(b);
  if (between !== 0) return between;
  const worse = first === 1 ? b.failing - a.failing : first === 2 ? hottest(b.agent) - hottest(a.agent) : 0;
  return worse || a.agent.hostname.localeCompare(b.agent.hostname);
}

/** Whether the host's name, labels or system contain every word of a search. */
export function matches({ hostname, labels, os, arch }: Agent, search: string): boolean {
  const text = `${hostname} ${labels} ${os} ${arch}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
