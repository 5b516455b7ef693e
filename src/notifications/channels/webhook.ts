// The generic webhook: the stored body of one event, signed (docs/rules/notifications.md#signatures).

import type { Channel } from './channel.ts';
import { signedHeaders } from './signature.ts';

export const webhook: Channel = {
  kind: 'webhook',
  family: 'webhook',
  carries: () => true,
  exchanges({ events, stored, tryId, at }, { url, secret }) {
    const [event] = events;
    if (!event || secret === null) throw new Error('a webhook needs an event and a signing secret');
    const headers = signedHeaders({
      event: event.event,
      tryId,
      eventId: event.id,
      body: stored,
      secret,
      at,
    });
    return [{ url, headers, body: stored }];
  },
  refusal: () => null,
};
