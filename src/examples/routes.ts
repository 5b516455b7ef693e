import { personOf } from '../platform/http/actor.ts';
import { type Route, read, write } from '../platform/http/route.ts';
import * as contract from './contract.ts';
import { forgetRemoved, removeExample } from './end.ts';
import { findObstacle } from './obstacle.ts';
import { findExample } from './show.ts';
import { type ExampleOptions, startExample } from './start.ts';

export const exampleRoutes = (options: ExampleOptions): Route[] => [
  read(contract.getExample, async ({ db, resource: { orgId }, caller, now }) => {
    const found = await findObstacle(db, orgId, options.target, now);
    return {
      obstacle: found?.obstacle ?? null,
      example: await findExample(db, orgId, personOf(caller), now),
    };
  }),
  write(contract.startExample, async ({ resource, params, caller }, work) => {
    const { orgId } = resource;
    await forgetRemoved(work.tx, orgId);
    const whose = { orgId, projectId: params.project_id, userId: personOf(caller) };
    return startExample(work, whose, options);
  }),
  write(contract.removeExample, async ({ resource }, work) => {
    await removeExample(work, resource.orgId, options);
    return undefined;
  }),
];
