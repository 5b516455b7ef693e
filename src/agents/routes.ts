import type { ShownAt as MonitorShownAt } from '../monitors/row.ts';
import { paged } from '../platform/http/page.ts';
import { type Route, read, show, write } from '../platform/http/route.ts';
import * as contract from './contract.ts';
import { listCurves } from './curves.ts';
import { findToken, listTokens, makeEnrollmentToken, revokeToken } from './enrollment-tokens.ts';
import { cursorOf, listEvents, showEvent } from './events.ts';
import { removeOne } from './remove.ts';
import { agentSeries } from './series.ts';
import { findAgent, getOne, listOf, type ShownAt } from './show.ts';
import { askForUpgrade, changeAgent } from './update.ts';

/** Answers 404 for an unknown agent in the path. */
const agentFirst: Route['beforeBody'] = ({ db, resource, params, within }) =>
  findAgent(db, resource.orgId, params.agent_id ?? '', within);

/** Answers 404 for an unknown token in the path. */
const tokenFirst: Route['beforeBody'] = ({ db, resource, params }) =>
  findToken(db, resource.orgId, params.token_id ?? '');

/** An agent is shown with its inventory, of up to a megabyte. */
const LARGE = { readFirst: 20 };

type Options = ShownAt & MonitorShownAt;

/** The operations of people and API keys on host agents. */
export function agentRoutes(options: Options): Route[] {
  return [...tokenRoutes(options), ...listRoutes(options), ...ofOneAgent(options).map(inAgent)];
}

const inAgent = (route: Route): Route => ({ ...route, beforeBody: agentFirst });

function tokenRoutes(options: Options): Route[] {
  return [
    write(contract.createEnrollmentToken, ({ resource, body }, work) =>
      makeEnrollmentToken(work, resource.orgId, body ?? {}, options),
    ),
    read(contract.listEnrollmentTokens, (call) =>
      paged(
        call,
        (page) => listTokens(call.db, call.resource.orgId, page, call.now),
        ({ id }) => id,
      ),
    ),
    {
      ...write(contract.revokeEnrollmentToken, async ({ resource, params }, work) => {
        await revokeToken(work, resource.orgId, params.token_id);
        return undefined;
      }),
      beforeBody: tokenFirst,
    },
  ];
}

function listRoutes({ version }: Options): Route[] {
  return [
    show(contract.listAgentCurves, (call) =>
      paged(
        call,
        (page) => listCurves(call.db, call.resource.orgId, page, { within: call.within, now: call.now }),
        ({ agent_id }) => agent_id,
      ),
    ),
    read(contract.listAgents, (call) =>
      paged(
        call,
        (page) => listOf(call.db, call.resource.orgId, page, { version, within: call.within, now: call.now }),
        ({ id }) => id,
        LARGE,
      ),
    ),
  ];
}

function ofOneAgent(options: Options): Route[] {
  const { version } = options;
  return [
    read(contract.getAgent, ({ db, resource, params, within, now }) =>
      getOne(db, resource.orgId, params.agent_id, { version, within, now }),
    ),
    show(contract.getAgentSeries, async ({ db, resource, params, query, within, now }) => {
      const { no } = await findAgent(db, resource.orgId, params.agent_id, within);
      return agentSeries(db, no, query, now);
    }),
    show(contract.listAgentEvents, async (call) => {
      const { no } = await findAgent(call.db, call.resource.orgId, call.params.agent_id, call.within);
      const rows = await paged(call, (page) => listEvents(call.db, no, page), cursorOf);
      return rows.map(showEvent);
    }),
    write(contract.updateAgent, ({ resource, params, body }, work) =>
      changeAgent(work, resource.orgId, params.agent_id, body, { version }),
    ),
    write(contract.removeAgent, async ({ resource, params }, work) => {
      await removeOne(work, resource.orgId, params.agent_id, options);
      return undefined;
    }),
    write(contract.upgradeAgent, ({ resource, params }, work) =>
      askForUpgrade(work, resource.orgId, params.agent_id, { version }),
    ),
  ];
}
