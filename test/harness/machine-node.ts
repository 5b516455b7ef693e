// The Node of the machine, on which the agent and the probe run as single files: not the one that npm installed with Tocsin.
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Path of the first `node` in the PATH that belongs to no package, from Node 20 on; otherwise of the one that runs the test.
 */
export function machineNode(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((dir) => !dir.includes('node_modules'));
  for (const folder of folders) {
    const path = join(folder, 'node');
    try {
      accessSync(path, constants.X_OK);
      const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' });
      if (Number.parseInt(version, 10) >= 20) return path;
    } catch {
      // It does not exist, or does not run.
    }
  }
  return process.execPath;
}
