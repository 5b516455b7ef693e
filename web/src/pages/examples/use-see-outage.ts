import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getExample, startExample } from '#src/examples/contract.ts';
import { listProjects } from '#src/projects/contract.ts';
import { MAX_PAGE, queryClient, read } from '#web/read.ts';
import { lastProject } from '#web/shell/chosen-project.ts';
import type { Write } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { showGuide } from './guide.ts';

/**
 * Returns a function that starts the example outage of an organization and opens it with its guide. If the reader's own
 * example is under way, it opens that one; where none can be started, it says why.
 */
export function useSeeOutage(write: Write): (orgId: string) => Promise<boolean> {
  const { t } = useTranslation();
  const navigate = useNavigate();

  async function open(orgId: string, monitorId: string): Promise<void> {
    showGuide(orgId, true);
    await navigate({ to: '/o/$orgId/monitors/$monitorId', params: { orgId, monitorId } });
  }

  async function see(orgId: string): Promise<void> {
    const params = { org_id: orgId };
    const [{ obstacle, example }, projects] = await Promise.all([
      queryClient.fetchQuery(read(getExample, { params })),
      queryClient.ensureQueryData(read(listProjects, { params, query: MAX_PAGE })),
    ]);
    if (example?.mine) return open(orgId, example.monitor_id);
    if (obstacle !== null) {
      notifications.show({ message: t(`example.obstacle.${obstacle}`) });
      return;
    }
    const project = lastProject(orgId, projects);
    // Without a project the list of monitors says what to do first.
    if (project === undefined) return navigate({ to: '/o/$orgId/monitors', params: { orgId } });
    await send(startExample, { params: { project_id: project.id } }, (made) => open(orgId, made.monitor_id));
  }

  return (orgId) => write.run(() => see(orgId));
}
