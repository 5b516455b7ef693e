// Samples of the overview and of links to its wall display; see operation-samples.ts.
import type { Sample } from './sample.ts';

const plain: Sample = {};

export const OVERVIEW_SAMPLES: Record<string, Sample> = {
  getOverview: plain,
  listWallLinks: plain,
  createWallLink: { body: () => ({ name: 'Office' }) },
  revokeWallLink: plain,
  readWall: plain,
};
