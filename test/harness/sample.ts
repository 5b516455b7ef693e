// A call of an operation that succeeds.
import type { Scene } from './scene.ts';

export type Sample = {
  /** Body of a call that succeeds. */
  body?: (scene: Scene) => unknown;
  /** Parameters that differ from the scene's. */
  params?: (scene: Scene) => Record<string, string>;
  query?: string;
  /** The answer to an admitted caller if it cannot be the success itself; with the reason. */
  letIn?: { status: number; because: string };
  /** Succeeds only once on the same data, as every DELETE does. */
  usesUp?: true;
  /** It names another person, which takes an admin: members may do it for themselves. */
  forSomebodyElse?: true;
  /** Writes no row of an organization's activity log; with the reason. */
  unrecorded?: string;
};
