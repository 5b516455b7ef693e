// Which incidents and maintenance windows a notification target asks for (docs/rules/notifications.md#routing).

import type { IncidentSeverity } from './names.ts';
import { type SeverityRank, severityRankOf } from './severity-rank.ts';

/** Each part must be met; an empty list, and `degraded`, are met by everything. */
export type TargetFilter = {
  projectIds: readonly string[];
  /** Any of them is enough. */
  tags: readonly string[];
  minSeverity: IncidentSeverity;
};

/** What a filter looks at: of an incident its own project and the tags of its monitor, of a window those of all its monitors. */
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
