// The sessions of the signed-in person, as the sign-in library stores them.
import { queryOptions } from '@tanstack/react-query';
import { type ApiError, fetchJson } from '#web/call.ts';
import { post } from '#web/write.ts';

export type Session = {
  id: string;
  token: string;
  createdAt: string;
  /** Updated at most every 15 minutes while the session is used. */
  updatedAt: string;
  ipAddress: string | null;
  userAgent: string | null;
};

export const sessionsQuery = queryOptions<Session[], ApiError>({
  queryKey: ['sessions'],
  queryFn: async () => (await fetchJson('GET', '/auth/list-sessions')) as Session[],
});

/** Ends one session. Throws ApiError. */
export async function endSession(token: string): Promise<void> {
  await post('/auth/revoke-session', { token });
}

/** Ends all sessions but this one. Throws ApiError. */
export async function endOtherSessions(): Promise<void> {
  await post('/auth/revoke-other-sessions', {});
}

/** Unix seconds of one of the library's timestamps. */
export const unixOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);
