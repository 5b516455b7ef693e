import { type Route, raw } from '../platform/http/route.ts';
import { streamEvents } from './contract.ts';
import type { LiveStreams } from './stream.ts';

export const eventRoutes = (streams: LiveStreams): Route[] => [
  raw(streamEvents, (call) => streams.open(call)),
];
