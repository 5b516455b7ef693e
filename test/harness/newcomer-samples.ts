// Samples of the operations for newcomers: the example outage, and the first steps of an organization.
import type { Sample } from './sample.ts';

export const NEWCOMER_SAMPLES: Record<string, Sample> = {
  getExampleOutage: {},
  startExampleOutage: {
    letIn: { status: 409, because: 'the region of the scene has no probe, and an example needs one' },
  },
  removeExampleOutage: { unrecorded: 'the scene has none' },
  getFirstSteps: {},
  hideFirstSteps: { unrecorded: 'it changes what the caller sees, and nothing of the organization' },
};
