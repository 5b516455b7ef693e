// The organization, monitor and incident that the palette refers to: those of the URL, or else the last organization.
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { ROLES } from '#src/domain/names.ts';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { read } from '../read.ts';
import { remembered } from '../remembered.ts';
import { mayAct, mayAdminister, mayManage, useIsOperator } from '../shell/my-role.ts';

type Params = { orgId?: string; monitorId?: string; incidentId?: string };

export function usePaletteContext() {
  const params: Params = useRouterState({ select: ({ matches }) => matches.at(-1)?.params ?? {} });
  const organizations = useQuery(read(listMyOrganizations, {})).data ?? [];
  const wanted = params.orgId ?? remembered('organization');
  const found = organizations.find(({ id }) => id === wanted);
  // If the URL names an organization that the reader does not belong to, no other one is substituted.
  const organization = found ?? (params.orgId === undefined ? organizations[0] : undefined);
  const role = ROLES.find((each) => each === organization?.role);
  return {
    organization,
    organizations,
    monitorId: params.monitorId,
    incidentId: params.incidentId,
    mayAct: mayAct(role),
    mayManage: organization !== undefined && mayManage(role),
    mayAdminister: mayAdminister(role),
    isOperator: useIsOperator(),
  };
}

export type PaletteContext = ReturnType<typeof usePaletteContext>;
