// Entry of the process that serves (the supervisor of `tocsin serve` starts it): turns on the compile cache before
// anything else is loaded, then hands over.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/tocsin'));
const { runServer } = await import('./server.ts');
process.exit(await runServer());
