import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import {
  type ChannelName,
  EVENT_NAMES,
  type EventName,
  type IncidentSeverity,
  type PagingRegion,
} from '#src/domain/names.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import type { Meanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { useChosenProject } from '#web/shell/chosen-project.ts';
import type { TargetValues } from './target-values.ts';

const LABELS: Record<Exclude<keyof TargetValues, 'credential'>, string> = {
  name: 'targets.name',
  url: 'targets.url',
  region: 'targets.region',
  events: 'targets.events',
  project_ids: 'targets.routing.projects',
  tags: 'targets.routing.tags',
  min_severity: 'incidents.severityLabel',
};

type Props = { kind: ChannelName; meanwhile: Meanwhile<TargetValues> };

/** What somebody else has changed of the target. */
export function TargetMeanwhile({ kind, meanwhile }: Props) {
  const { t } = useTranslation();
  const { projects } = useChosenProject();

  const eventName = (event: string) => {
    const known = EVENT_NAMES.find((name): name is EventName => name === event);
    return known === undefined ? event : t(`events.${known}`);
  };
  const projectName = (id: string) =>
    projects.find((project) => project.id === id)?.name ?? t('targets.routing.goneChoice');

  function wordsOf(path: string, value: unknown): string | undefined {
    if (path === 'region') return t(`targets.regions.${value as PagingRegion}`);
    if (path === 'min_severity') return t(`targets.routing.choices.${value as IncidentSeverity}`);
    if (path === 'events') return (value as string[]).map(eventName).join(', ') || undefined;
    if (path !== 'project_ids') return undefined;
    return (
      (value as string[]).map((id) => isolated(projectName(id))).join(', ') ||
      t('targets.routing.allProjects')
    );
  }

  return (
    <ChangedMeanwhile
      clashes={meanwhile.clashes}
      stopped={meanwhile.stopped}
      labelOf={(path) =>
        path === 'credential'
          ? t(`targets.key.${kind as 'pagerduty' | 'opsgenie'}`)
          : t(LABELS[path as keyof typeof LABELS] as 'targets.name')
      }
      wordsOf={wordsOf}
      onSettle={meanwhile.settle}
    />
  );
}
