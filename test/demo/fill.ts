// Fills the folder of the demo: its database, and the week that the organization has behind it. Words: the folder, the targets.
import { startEmbedded } from '#src/platform/db/embedded.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { type Clock, startAppOn } from '#test/harness/app.ts';
import { migrateDatabase, silent } from '#test/harness/cluster.ts';
import { fillOrganization, PAST_MINUTES } from './organization.ts';
import type { Targets } from './targets.ts';

/** A clock that only the story moves, from a week ago to now. */
function pastClock(): Clock {
  let ms = Date.now() - PAST_MINUTES * 60_000;
  return {
    now: () => new Date(ms),
    ms: () => ms,
    advance: (by) => {
      ms += by;
    },
  };
}

const [dataDir = '', targets = '{}'] = process.argv.slice(2);
await using stack = new AsyncDisposableStack();
const embedded = await startEmbedded({ dataDir, log: silent });
stack.defer(() => embedded.stop());
await migrateDatabase(embedded.url);
const { db, close } = openPool({ url: embedded.url, log: silent, size: 5 });
stack.defer(() => close());
const env = { SECRET_KEY: process.env.SECRET_KEY ?? '' };
const app = await startAppOn(stack, embedded.url, db, { clock: pastClock(), env });
await fillOrganization(app, JSON.parse(targets) as Targets);
