// Histories of a monitor's results written as one line, for tests: `b- c+ a~ c-@4 b?`. The letter is the region; `-` down, `+` up,
// `~` degraded, `?` a fault of the probe. The n-th was checked at n × 0.5 s, with `@k` at k × 0.5 s. They arrive one by one.
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Place, TestApp } from './app.ts';
import { resultOf, type Said } from './probe.ts';

export const STEP_MS = 500;

export type Reported = {
  region: string;
  said: Said;
  /** Milliseconds since the history began. */
  checkedMs: number;
  arrivesMs: number;
};

const SAID: Record<string, Said> = {
  '-': { status: 'down' },
  '+': { status: 'up' },
  '~': { status: 'degraded' },
  '?': { status: 'down', failure_class: 'probe_network', cause_layer: 'probe' },
};

export function readHistory(line: string): Reported[] {
  return line.split(' ').map((word, i) => {
    const [, region = '', mark = '', at] = /^([a-z])([-+~?])(?:@([\d.]+))?$/.exec(word) ?? [];
    const said = SAID[mark];
    if (said === undefined) throw new Error(`not a result: ${word}`);
    const arrivesMs = (i + 1) * STEP_MS;
    return { region, said, arrivesMs, checkedMs: at === undefined ? arrivesMs : Number(at) * STEP_MS };
  });
}

/**
 * Reports a history of a new monitor through the probes' endpoint. Returns its incidents, oldest first, in steps since it
 * began.
 */
export async function reportHistory(
  app: TestApp,
  place: Place,
  { line, policy }: { line: string; policy: object },
): Promise<{ startedStep: number; isOpen: boolean }[]> {
  const history = readHistory(line);
  const regions = [...new Set(history.map(({ region }) => region))].sort();
  const { id } = await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
    name: `${regions.join(' ')} ${app.clock.ms()}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 60,
    regions,
    policy,
  });
  app.clock.advance(1000 - (app.clock.ms() % 1000));
  const beganMs = app.clock.ms();
  for (const { region, said, checkedMs, arrivesMs } of history) {
    app.clock.advance(beganMs + arrivesMs - app.clock.ms());
    const answer = await app.probe(region).post([resultOf(id, beganMs + checkedMs, said)]);
    if (answer.status !== 200) throw new Error(`results answered ${answer.status}`);
  }
  const incidents = await app.alice.ok<IncidentSummary[]>('GET', `/monitors/${id}/incidents`);
  return incidents.reverse().map(({ started_at_unix, status }) => ({
    startedStep: (started_at_unix * 1000 - beganMs) / STEP_MS,
    isOpen: status === 'open',
  }));
}
