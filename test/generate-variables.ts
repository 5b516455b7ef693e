// `npm run generate:variables`: writes the table of variables in docs/self-hosting.md.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withVariables } from '../src/config/describe-variables.ts';

const path = join(import.meta.dirname, '../docs/self-hosting.md');
await writeFile(path, withVariables(await readFile(path, 'utf8')));
console.log(`${path} written`);
