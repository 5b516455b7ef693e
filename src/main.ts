// The command line's entry: turns on the compile cache before anything else is loaded, then hands over.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/tocsin'));
const { runCommandLine } = await import('./cli/command-line.ts');
// An exit rather than an exit code: nothing forgotten (a timer, a socket) keeps a stopped server around.
process.exit(await runCommandLine(process.argv.slice(2)));
