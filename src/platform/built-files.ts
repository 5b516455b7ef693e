// The agent and the probe as single files, as this installation built them (docs/rules/agents.md#downloads).
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The built programs, and the first module of each. */
export const BUILT_FILES = {
  'tocsin-agent.mjs': 'agent/single-file.ts',
  'tocsin-probe.mjs': 'probe/single-file.ts',
} as const;
export type BuiltFileName = keyof typeof BUILT_FILES;

export type BuiltFile = {
  name: BuiltFileName;
  /** The version of Tocsin that it was built from, read from its first lines. */
  version: string;
  /** Hexadecimal. */
  sha256: string;
  bytes: () => Promise<Buffer>;
};

/** The programs that exist; a build that failed leaves one out. */
export type BuiltFiles = { readonly [name in BuiltFileName]?: BuiltFile };

/** Marks the first lines of a built file. */
export const versionLine = (name: string, version: string) => `// ${name} ${version}`;
const VERSION_LINE = /^\/\/ tocsin-[a-z]+\.mjs (\S+)$/m;
const HEAD_BYTES = 500;

/** The built files of a folder; leaves out missing ones, and files that are not ours. */
export async function readBuiltFiles(dir: string | null): Promise<BuiltFiles> {
  if (dir === null) return {};
  const names = Object.keys(BUILT_FILES) as BuiltFileName[];
  const found = await Promise.all(names.map((name) => readBuiltFile(dir, name)));
  return Object.fromEntries(found.filter((file) => file !== null).map((file) => [file.name, file]));
}

async function readBuiltFile(dir: string, name: BuiltFileName): Promise<BuiltFile | null> {
  const bytes = await readFile(join(dir, name)).catch(() => null);
  const version = VERSION_LINE.exec(bytes?.subarray(0, HEAD_BYTES).toString() ?? '')?.[1];
  if (bytes === null || version === undefined) return null;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  // Not read anew for each download: a file that was replaced would not match its sum. Packed: few machines fetch it.
  const packed = compress(bytes);
  packed.catch(() => undefined); // reported where it is awaited
  return { name, version, sha256, bytes: async () => decompress(await packed) };
}
