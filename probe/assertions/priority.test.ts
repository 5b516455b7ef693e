import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const isLinux = process.platform === 'linux';

/** Judges an answer by a pattern, outside of the main loop, and prints the finding. */
const JUDGES = `
const { judge, stopJudging } = await import('./probe/assertions/judge.ts');
const keyword = { text: 'f.ne', mode: 'regex', case_sensitive: true };
const body = { bytes: Buffer.from('all fine'), charset: undefined };
const found = await judge({ header_assertions: [], json_assertions: [], headers: {}, keyword, body }, {});
console.log(found === undefined ? 'met' : found.detail);
await stopJudging();`;

test('a probe started with a lower priority than its threads still evaluates assertions', {
  skip: !isLinux,
}, async () => {
  // Root may take more priority, unless it gives up the right to.
  const asOthers = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-sys_nice'] : [];
  const words = [...asOthers, 'nice', '-n', '15', process.execPath, '--input-type=module', '-e', JUDGES];
  const said = await new Promise<string>((resolve) => {
    execFile(
      words[0] ?? '',
      words.slice(1),
      { cwd: join(import.meta.dirname, '../..') },
      (_error, out, err) => resolve(out || err),
    );
  });
  assert.equal(said.trim(), 'met');
});
