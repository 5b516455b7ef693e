// The filter of a notification target, for incidents and maintenance windows (docs/rules/notifications.md#routing).

import type { IncidentSeverity } from './names.ts';
import { type SeverityRank, severityRankOf } from './severity-rank.ts';

/** Each part must be met; an empty list, and `degraded`, are met by everything. */
export type TargetFilter = {
  projectIds: readonly string[];
  /** Any of them is enough. */
  tags: readonly string[];
  minSeverity: IncidentSeverity;
};

/** The values that a filter matches: the project and the tags of an incident's monitor, or those of all monitors of a window. */
export type Traits = {
  projectIds: readonly string[];
  tags: readonly string[];
  /** null: it has none, as planned work. */
  severityRank: SeverityRank | null;
};

export const takesEverything = ({ projectIds, tags, minSeverity }: TargetFilter): boolean =>
  projectIds.length === 0 && tags.length === 0 && minSeverity === 'degraded';

/** Whether a target with this filter is concerned. What belongs to no monitor meets no filter by project or tag. */
export const isConcerned = (filter: TargetFilter, { projectIds, tags, severityRank }: Traits): boolean =>
  meets(filter.projectIds, projectIds) &&
  meets(filter.tags, tags) &&
  (severityRank === null ||
    severityRank <= severityRankOf({ severity: filter.minSeverity, severity_level: null }));

const meets = (asked: readonly string[], has: readonly string[]): boolean =>
  asked.length === 0 || asked.some((one) => has.includes(one));
