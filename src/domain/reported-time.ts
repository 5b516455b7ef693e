// Computes when the status of a monitor was known: at least one of its regions reported (docs/rules/figures.md#unknown-time).
// Pure; instants in ms.
import { common, merged, type Span } from './spans.ts';

/** How a monitor reported during a span: how long a result counts, and whether it was checked at all. */
export type ReportingRule = Span & {
  /** null: until the next result, however long that takes (heartbeats, groups). */
  windowMs: number | null;
  enabled: boolean;
};

/** Results under one rule, each following the one before within the rule's window: when the first and the last was checked. */
export type Run = { firstMs: number; lastMs: number };

/**
 * The time in which a monitor was known. At every instant the rule of that instant decides whether the last result still
 * counts. `rules` follow each other without gaps. A result never counts beyond its window, nor while the monitor is disabled.
 */
export function knownTime(rules: readonly ReportingRule[], runs: readonly Run[]): Span[] {
  const longestMs = Math.max(0, ...rules.map(({ windowMs }) => windowMs ?? Number.POSITIVE_INFINITY));
  const found: Span[] = [];
  for (const { firstMs, lastMs } of runs) {
    const own = rules.findIndex(({ fromMs, untilMs }) => fromMs <= lastMs && lastMs < untilMs);
    const rule = rules[own];
    if (!rule) continue;
    if (rule.enabled) found.push({ fromMs: firstMs, untilMs: lastMs });
    for (const later of rules.slice(own)) {
      if (later.fromMs >= lastMs + longestMs) break;
      if (later.enabled) found.push(...spokenFor(lastMs, later, rule));
    }
  }
  return merged(found);
}

/** The part of a rule's span for which a result at `atMs` counts. */
function spokenFor(atMs: number, rule: ReportingRule, own: ReportingRule): Span[] {
  // A result from when the monitor was checked at an interval says nothing about a heartbeat that has not come yet.
  if (rule.windowMs === null && own.windowMs !== null) return [];
  const endMs = rule.windowMs === null ? Number.POSITIVE_INFINITY : atMs + rule.windowMs;
  return [{ fromMs: Math.max(atMs, rule.fromMs), untilMs: Math.min(endMs, rule.untilMs) }];
}

/** The time in which a monitor was enabled. */
export const enabledTime = (rules: readonly ReportingRule[]): Span[] =>
  merged(rules.filter(({ enabled }) => enabled));

/** A group is known while it is enabled and one of its members is known. */
export const knownGroupTime = (rules: readonly ReportingRule[], members: readonly Span[]): Span[] =>
  common(enabledTime(rules), members);
