// Three probes, a server and a target, and a line between each two that a test can cut.
import type { ChildProcess } from 'node:child_process';
import type { TestContext } from 'node:test';
import { mayMakeNamespaces, namespaces } from './namespaces.ts';
import { proxies } from './proxies.ts';

/** The place of a process: beside the server and the target, or at one of the probes. */
export type Place = 'hub' | 1 | 2 | 3;
export type Probing = 1 | 2 | 3;
export const PROBING: readonly Probing[] = [1, 2, 3];

export type Line = { cut: () => Promise<void>; mend: () => Promise<void> };

export type Net = {
  /** The technique behind the lines. */
  made: 'network namespaces' | 'TCP proxies';
  /** Runs node there, without its output. The caller ends it. */
  run: (place: Place, args: readonly string[], env: Record<string, string>) => ChildProcess;
  server: { bind: { HOST: string; PORT: string }; url: string };
  /** The address of the server for a probe. */
  serverFrom: (place: Probing) => string;
  target: { bind: { host: string; port: number }; url: string };
  /** The environment that a probe needs there. */
  probeEnv: (place: Probing) => Record<string, string>;
  toServer: (place: Probing) => Line;
  toTarget: (place: Probing) => Line;
};

/** Real network namespaces if this machine allows them, otherwise a small TCP proxy per line. */
export async function partitionNet(t: TestContext): Promise<Net> {
  return (await mayMakeNamespaces()) ? namespaces(t) : proxies(t);
}
