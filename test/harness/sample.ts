// How an operation is called so that it succeeds.
import type { Scene } from './scene.ts';

export type Sample = {
  /** Body of a call that succeeds. */
  body?: (scene: Scene) => unknown;
  /** Parameters that differ from the scene's. */
  params?: (scene: Scene) => Record<string, string>;
  query?: string;
  /** What is answered to somebody who was let in, where that cannot be the success itself; with the reason why. */
  letIn?: { status: number; because: string };
  /** Succeeds once only on the same things, as every DELETE does. */
  usesUp?: true;
  /** It names somebody else, which takes an admin: members may do it for themselves. */
  forSomebodyElse?: true;
  /** Writes nothing that belongs into an organization's activity log; with the reason why. */
  unrecorded?: string;
};
