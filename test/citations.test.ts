// What comments and pages point to is in the repository: files and headings under docs/, links between pages.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  citationsOfOutside,
  lostCitations,
  lostLinks,
  pages,
  type Source,
  sourceOf,
} from './harness/citations.ts';
import { ROOT, sourceFiles } from './harness/imports.ts';

/** Applied migrations are known by their checksum: what stands in them stays. */
const APPLIED = ['migrations/0002_organizations.sql', 'migrations/0005_incidents.sql'];

const migrations = readdirSync(join(ROOT, 'migrations')).map((name) => `migrations/${name}`);
const code = [...sourceFiles(['src', 'probe', 'agent', 'web', 'test', 'bench', 'pack']), ...migrations].map(
  sourceOf,
);
const everything = [...code, ...pages()];

test('every cited file and heading under docs/ exists', () => {
  assert.deepEqual(everything.flatMap(lostCitations), []);
});

test('every relative link of a page resolves', () => {
  assert.deepEqual(pages().flatMap(lostLinks), []);
});

test('nothing cites numbered sections of documents that are not in this repository', () => {
  const changeable = everything.filter(({ path }) => !APPLIED.includes(path));
  assert.deepEqual(changeable.flatMap(citationsOfOutside), []);
});

test('broken links are found, and nothing else', () => {
  const docs = 'docs'; // apart, so that these examples are no citations of this file
  const page = (text: string): Source => ({ path: `${docs}/page.md`, text });
  assert.deepEqual(
    lostCitations(
      page(
        `${docs}/rules/none.md, ${docs}/rules/confirmation.md#none, ${docs}/rules/confirmation.md#quorum.`,
      ),
    ),
    [`${docs}/page.md: ${docs}/rules/none.md`, `${docs}/page.md: ${docs}/rules/confirmation.md#none`],
  );
  assert.deepEqual(
    lostLinks(
      page(
        '[a](none.md) [b](rules/access.md#none) [c](rules/access.md#roles) [d](../src) [e](https://a.example)',
      ),
    ),
    [`${docs}/page.md: none.md`, `${docs}/page.md: rules/access.md#none`],
  );
  for (const outside of ['decisions', 'interface', 'reliability', 'architecture'])
    assert.equal(
      citationsOfOutside(
        page(
          `// (${outside}, section 5), (${outside},\n// sections 2 and 4), (${outside}, 3), see ${outside} section 4`,
        ),
      ).length,
      4,
    );
  assert.deepEqual(
    citationsOfOutside(page('the interface, as 3 of 4 decisions say (RFC 9110, section 3)')),
    [],
  );
});
