// A dashboard's live stream that connects again with the last id it has seen, as browsers do.
import { setTimeout as pause } from 'node:timers/promises';
import { openEventStream } from '../harness/event-stream.ts';

export type Followed = {
  /** Ids of the incidents that events named. */
  incidents: Set<string>;
  connections: number;
  /** Whether the server ever said that events are missing. */
  resets: number;
};

export type Follower = { soFar: Followed; stop: () => void };

const LOOK_MS = 50;

/** Follows the live events of an organization until it is stopped. */
export function follow(url: string, cookie: string): Follower {
  const soFar: Followed = { incidents: new Set(), connections: 0, resets: 0 };
  let stopped = false;
  let end = () => {};
  const loop = async () => {
    let lastId: string | undefined;
    while (!stopped) {
      const stream = await openEventStream(url, cookie, lastId).catch(() => null);
      if (!stream) {
        await pause(LOOK_MS);
        continue;
      }
      soFar.connections += 1;
      end = stream.stop;
      let read = 0;
      for (let over = false; !stopped && !over; ) {
        over = stream.isOver();
        for (; read < stream.events.length; read++) {
          const { id, event, data } = stream.events[read]!;
          if (id !== '') lastId = id;
          if (event === 'reset') soFar.resets += 1;
          if (event === 'incident') soFar.incidents.add(String(data.incident_id));
        }
        if (!over) await pause(LOOK_MS);
      }
    }
  };
  void loop();
  return {
    soFar,
    stop() {
      stopped = true;
      end();
    },
  };
}
