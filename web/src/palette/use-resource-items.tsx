import {
  IconBroadcast,
  IconCalendarEvent,
  IconFolder,
  IconSend,
  IconServer,
  IconShieldCheck,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listAgents } from '#src/agents/contract.ts';
import { listAlertProfiles } from '#src/alarm-policy/contract.ts';
import { listMaintenance } from '#src/maintenance/contract.ts';
import { listMembers } from '#src/members/contract.ts';
import { listWebhooks } from '#src/notifications/contract.ts';
import { listProjects } from '#src/projects/contract.ts';
import { listStatusPages } from '#src/status-pages/contract.ts';
import { useFormats } from '../format.ts';
import { MAX_PAGE, read } from '../read.ts';
import type { Item, Line } from './item.ts';
import type { PaletteContext } from './use-palette-context.ts';

const ICON = { size: 17, stroke: 1.7, 'aria-hidden': true } as const;
/** They change seldom, and their pages refetch them. */
const FRESH_MS = 60_000;

/** Everything else with a page. Fetched once something is typed. */
export function useResourceItems({ organization, mayManage }: PaletteContext, isAsked: boolean): Item[] {
  const { t } = useTranslation();
  const formats = useFormats();
  const navigate = useNavigate();
  const orgId = organization?.id ?? '';
  const of = { params: { org_id: orgId } };
  const whole = { ...of, query: MAX_PAGE };
  const enabled = isAsked && organization !== undefined;
  const often = { enabled, staleTime: FRESH_MS };
  const projects = useQuery({ ...read(listProjects, whole), ...often }).data ?? [];
  const members = useQuery({ ...read(listMembers, whole), ...often }).data ?? [];
  const hosts = useQuery({ ...read(listAgents, whole), ...often }).data ?? [];
  const pages = useQuery({ ...read(listStatusPages, of), ...often }).data ?? [];
  const windows =
    useQuery({ ...read(listMaintenance, { ...of, query: { limit: 100 } }), ...often }).data ?? [];
  const managed = { ...often, enabled: enabled && mayManage };
  const targets = useQuery({ ...read(listWebhooks, whole), ...managed }).data ?? [];
  const profiles = useQuery({ ...read(listAlertProfiles, whole), ...managed }).data ?? [];
  const item = (key: string, rest: Omit<Line, 'key' | 'group'> & { run: () => unknown }): Item => ({
    key,
    group: 'others',
    ...rest,
  });

  return [
    ...projects.map(({ id, name }) =>
      item(id, {
        label: name,
        detail: t('palette.kinds.project'),
        icon: <IconFolder {...ICON} />,
        run: () => navigate({ to: '/o/$orgId/monitors', params: { orgId }, search: { project: id } }),
      }),
    ),
    ...members.map(({ user_id, name, email }) =>
      item(`member ${user_id}`, {
        label: name === '' ? email : name,
        words: [email],
        detail: t('palette.kinds.member'),
        icon: <IconUsers {...ICON} />,
        run: () => navigate({ to: '/o/$orgId/settings/members', params: { orgId } }),
      }),
    ),
    ...hosts.map(({ id, hostname, labels }) =>
      item(id, {
        label: hostname,
        words: [labels],
        detail: t('palette.kinds.host'),
        icon: <IconServer {...ICON} />,
        run: () => navigate({ to: '/o/$orgId/hosts/$agentId', params: { orgId, agentId: id } }),
      }),
    ),
    ...pages.map(({ id, name, slug }) =>
      item(id, {
        label: name,
        words: [slug],
        detail: t('palette.kinds.statusPage'),
        icon: <IconBroadcast {...ICON} />,
        run: () => navigate({ to: '/o/$orgId/status-pages/$pageId', params: { orgId, pageId: id } }),
      }),
    ),
    ...windows.map(({ id, title, scheduled_start }) =>
      item(id, {
        label: title,
        detail: `${t('palette.kinds.maintenance')} · ${formats.moment(scheduled_start)}`,
        icon: <IconCalendarEvent {...ICON} />,
        run: () => navigate({ to: '/o/$orgId/maintenance/$windowId', params: { orgId, windowId: id } }),
      }),
    ),
    ...targets.map(({ id, name, kind }) =>
      item(id, {
        label: name,
        words: [kind],
        detail: t('palette.kinds.target'),
        icon: <IconSend {...ICON} />,
        run: () => navigate({ to: '/o/$orgId/notifications/$targetId', params: { orgId, targetId: id } }),
      }),
    ),
    ...profiles.map(({ id, name }) =>
      item(id, {
        label: name,
        detail: t('palette.kinds.profile'),
        icon: <IconShieldCheck {...ICON} />,
        run: () =>
          navigate({
            to: '/o/$orgId/settings/alarm-policy/profiles/$profileId',
            params: { orgId, profileId: id },
          }),
      }),
    ),
  ];
}
