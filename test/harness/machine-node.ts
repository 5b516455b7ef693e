// The Node of the machine, which the agent and the probe run on as single files: not the one that npm installed beside Tocsin.
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of the first `node` in the PATH that is not of a package, from Node 20 on; else of the one that runs the test. */
export function machineNode(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((dir) => !dir.includes('node_modules'));
  for (const folder of folders) {
    const path = join(folder, 'node');
    try {
      accessSync(path, constants.X_OK);
      const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' });
      if (Number.parseInt(version, 10) >= 20) return path;
    } catch {
      // Not there, or none that runs.
    }
  }
  return process.execPath;
}
