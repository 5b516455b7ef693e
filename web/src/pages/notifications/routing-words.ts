// The routing of a target in words: "Critical incidents of Shop, tagged payments".
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { IncidentSeverity } from '#src/domain/names.ts';
import { takesEverything } from '#src/domain/target-filter.ts';
import { listProjects } from '#src/projects/contract.ts';
import { useFormats } from '#web/format.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';

export type Routing = { project_ids: string[]; tags: string[]; min_severity: IncidentSeverity };

export const isForEverything = ({ project_ids, tags, min_severity }: Routing): boolean =>
  takesEverything({ projectIds: project_ids, tags, minSeverity: min_severity });

/** Describes the routing; null while the names of its projects are loading. */
export function useRoutingWords(): (routing: Routing) => string | null {
  const { t } = useTranslation();
  const formats = useFormats();
  const projects = useQuery(read(listProjects, { params: { org_id: useOrgId() }, query: MAX_PAGE }));
  return (routing) => {
    const { project_ids, tags, min_severity } = routing;
    if (isForEverything(routing)) return t('targets.routing.everything');
    if (project_ids.length > 0 && projects.isPending) return null;
    const names = project_ids.map((id) => projects.data?.find((project) => project.id === id)?.name);
    const known = names.filter((name) => name !== undefined);
    const gone = names.length - known.length;
    const shown = gone === 0 ? known : [...known, t('targets.routing.gone', { count: gone })];
    return [
      t(`targets.routing.severities.${min_severity}`),
      shown.length === 0 ? '' : t('targets.routing.of', { projects: formats.either(shown) }),
      tags.length === 0 ? '' : t('targets.routing.tagged', { tags: formats.either(tags) }),
    ].join('');
  };
}
