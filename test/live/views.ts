// The views that the live stream keeps current, of the organization of a walk.
import type { Scene } from '../races/scene.ts';

export const VIEWS = {
  overview: () => 'overview',
  monitors: () => 'monitors',
  'all monitors': () => 'monitors/all',
  'the shop': ({ shop }) => `monitors/${shop}`,
  'the database': ({ database }) => `monitors/${database}`,
  'the group': ({ group }) => `monitors/${group}`,
  incidents: () => 'incidents',
  'all incidents': () => 'incidents?state=all',
  'the incident': ({ incident }) => `incidents/${incident}`,
  'the older incident': ({ older }) => `incidents/${older}`,
  maintenance: () => 'maintenance',
  'the window': ({ window }) => `maintenance/${window}`,
} satisfies Record<string, (scene: Scene) => string>;

export type ViewName = keyof typeof VIEWS;
