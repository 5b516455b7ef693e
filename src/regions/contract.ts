// Browser-safe. Probe regions (decisions, section 3).
import { type Static, Type } from 'typebox';
import { operation } from '../platform/contract.ts';

export const Region = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  online: Type.Boolean({ description: 'one of its probes was heard from within 30 s' }),
  internal: Type.Boolean({ description: 'not usable for monitors of customers' }),
});
export type Region = Static<typeof Region>;

export const listRegions = operation({
  id: 'listRegions',
  method: 'GET',
  path: '/regions',
  summary: 'Regions that monitors can be checked from',
  tag: 'Regions',
  right: 'signed_in',
  subject: 'none',
  scope: 'monitors:read',
  status: 200,
  reply: Type.Array(Region),
});
