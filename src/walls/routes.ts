import { holdSession } from '../accounts/hold-session.ts';
import { type Call, type Route, raw, read, write } from '../platform/http/route.ts';
import { refuse } from '../platform/refusals.ts';
import * as contract from './contract.ts';
import { createWallLink, findWallLink, listWallLinks, revokeWallLink } from './links.ts';
import type { Walls } from './views.ts';

/** Answers with the wall, or with 304 if the screen has it already. */
async function sendWall(walls: Walls, call: Call<typeof contract.readWall>): Promise<unknown> {
  const { caller, db, now, request, reply } = call;
  if (caller?.kind !== 'wall') return refuse('unauthenticated', 'Open the wall with its link.');
  const { wall, etag } = await walls.view(db, caller.orgId, caller.name, now);
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  const has = request.headers['if-none-match']?.split(',').map((each) => each.trim());
  return has?.includes(etag) ? reply.status(304).send() : wall;
}

export const wallRoutes = ({ baseUrl, walls }: { baseUrl: string; walls: Walls }): Route[] => [
  read(contract.listWallLinks, ({ db, resource }) => listWallLinks(db, resource.orgId)),
  write(contract.createWallLink, async ({ resource, body, caller }, work) => {
    if (caller?.kind !== 'user') return refuse('key_not_accepted', 'Links to the wall are made by people.');
    const made = await createWallLink(work, resource.orgId, {
      userId: caller.userId,
      name: body.name,
      baseUrl,
    });
    await holdSession(work.tx, caller);
    return made;
  }),
  {
    ...write(contract.revokeWallLink, async ({ resource, params }, work) => {
      await revokeWallLink(work, resource.orgId, params.link_id);
      return undefined;
    }),
    beforeBody: ({ db, resource, params }) => findWallLink(db, resource.orgId, params.link_id ?? ''),
  },
  { ...raw(contract.readWall, (call) => sendWall(walls, call)), held: false },
];
