// Entry of the process that serves. The supervisor of `tocsin serve` starts it, with the compile cache turned on.
import { runServer } from './server.ts';

process.exit(await runServer());
