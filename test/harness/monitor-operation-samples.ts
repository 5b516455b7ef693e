// Samples of the operations on monitors; see operation-samples.ts.
import { randomBytes } from 'node:crypto';
import type { Sample } from './sample.ts';

const name = () => `Name ${randomBytes(5).toString('hex')}`;
const plain: Sample = {};

export const MONITOR_SAMPLES: Record<string, Sample> = {
  listMonitors: plain,
  createMonitor: {
    body: () => ({ name: name(), type: 'http', config: { url: 'https://shop.example.com/' } }),
  },
  getMonitor: plain,
  updateMonitor: { body: () => ({ name: name() }) },
  cloneMonitor: { body: () => ({ name: name() }) },
  deleteMonitor: plain,
  announceChange: { body: () => ({ origin: 'deployment' }) },
  createMonitors: {
    body: () => ({
      monitors: [{ name: name(), type: 'http', config: { url: 'https://shop.example.com/' } }],
    }),
  },
  listMonitorViews: plain,
  createMonitorView: { body: () => ({ name: name(), search: { state: 'failed' }, shared: true }) },
  updateMonitorView: { body: () => ({ name: name() }) },
  deleteMonitorView: { usesUp: true },
  listAllMonitors: plain,
  changeMonitors: {
    body: ({ ids }) => ({
      monitor_ids: [ids.monitor_id],
      action: 'add_tags',
      tags: [randomBytes(5).toString('hex')],
    }),
  },
  testMonitor: {
    body: () => ({ type: 'http', config: { url: 'https://shop.example.com/' } }),
    letIn: { status: 400, because: 'no probe is online in the scene: whoever is let in is told so' },
    unrecorded: 'it changes nothing: a target is checked once, and nothing of it is kept',
  },
  proposeMonitors: {
    body: () => ({ address: 'shop.example.com' }),
    letIn: { status: 400, because: 'no probe is online in the scene: whoever is let in is told so' },
    unrecorded: 'it changes nothing: an address is looked at, and nothing of it is kept',
  },
};
