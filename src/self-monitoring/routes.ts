import { type Route, read } from '../platform/http/route.ts';
import { unix } from '../platform/unix.ts';
import { blindSpots } from './blind-spots.ts';
import * as contract from './contract.ts';
import { currentTroubles } from './troubles.ts';
import { troubleSentence, troubleTitle } from './words.ts';

export const selfMonitoringRoutes: Route[] = [
  read(contract.listTroubles, async ({ db }) =>
    (await currentTroubles(db)).map((trouble) => ({
      kind: trouble.kind,
      subject: trouble.subject,
      began_at_unix: unix(trouble.began_at),
      title: troubleTitle(trouble, 'en'),
      sentence: troubleSentence(trouble, 'en'),
      ...fieldsOf(trouble.data),
    })),
  ),
  read(contract.getBlindSpots, ({ db, resource, within, now }) =>
    blindSpots(db, resource.orgId, within, now),
  ),
];

function fieldsOf({ name, probe, reason, count, monitors }: Record<string, unknown>) {
  const number = count ?? monitors;
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof probe === 'string' ? { probe } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof number === 'number' ? { count: number } : {}),
  };
}
