// Which organization, monitor and incident the palette is about: those of the address, else the organization seen last.
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { ROLES } from '#src/domain/names.ts';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { read } from '../read.ts';
import { remembered } from '../remembered.ts';
import { mayAct, mayAdminister, mayManage, useIsOperator } from '../shell/my-role.ts';

type Params = { orgId?: string; monitorId?: string; incidentId?: string };

export function useWhere() {
  const params: Params = useRouterState({ select: ({ matches }) => matches.at(-1)?.params ?? {} });
  const organizations = useQuery(read(listMyOrganizations, {})).data ?? [];
  const wanted = params.orgId ?? remembered('organization');
  const found = organizations.find(({ id }) => id === wanted);
  // An organization that the address names and that is not one's own is no other one.
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

export type Where = ReturnType<typeof useWhere>;
