// The data of the wall, polled: an unattended screen must recover by itself from any failure.
import { useEffect, useState } from 'react';
import { readWall, type Wall } from '#src/walls/contract.ts';
import { checkConnection } from '#web/connection.ts';

const EVERY_MS = 2_000;
const PATIENCE_MS = 8_000;
/** Data is stale after this time. */
const OLD_AFTER_SECONDS = 20;

export type WallState = {
  wall: Wall | null;
  /** The link was revoked. */
  isRevoked: boolean;
  /** When data last arrived (Unix seconds), if it is stale; null: it is current. */
  oldSince: number | null;
};

const unixNow = () => Math.floor(Date.now() / 1_000);

export function useWall(token: string): WallState {
  const [state, setState] = useState<WallState>({ wall: null, isRevoked: false, oldSince: null });

  useEffect(() => {
    let etag: string | null = null;
    let receivedAt = unixNow();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;

    async function readOnce(): Promise<number | null> {
      const response = await fetch(readWall.path, {
        cache: 'no-store',
        credentials: 'omit',
        headers: { authorization: `Bearer ${token}`, ...(etag === null ? {} : { 'if-none-match': etag }) },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (response.status === 401) {
        if (!isOver) setState({ wall: null, isRevoked: true, oldSince: null });
        return null;
      }
      if (response.status === 429) return 1_000 * Number(response.headers.get('retry-after') ?? 5);
      if (response.status !== 304 && !response.ok) throw new Error(`HTTP ${response.status}`);
      const wall = response.status === 304 ? null : ((await response.json()) as Wall);
      etag = response.headers.get('etag') ?? etag;
      receivedAt = unixNow();
      if (!isOver)
        setState((last) =>
          wall === null && last.oldSince === null
            ? last
            : { wall: wall ?? last.wall, isRevoked: false, oldSince: null },
        );
      return EVERY_MS;
    }

    async function go(): Promise<void> {
      const pause = await readOnce().catch(() => {
        void checkConnection();
        return EVERY_MS;
      });
      if (!isOver && pause !== null) timer = setTimeout(() => void go(), pause);
    }

    // Whatever keeps it from reading: the server may also have asked it to wait.
    const ageing = setInterval(() => {
      if (unixNow() - receivedAt >= OLD_AFTER_SECONDS)
        setState((last) =>
          last.isRevoked || last.oldSince === receivedAt ? last : { ...last, oldSince: receivedAt },
        );
    }, EVERY_MS);

    void go();
    return () => {
      isOver = true;
      clearTimeout(timer);
      clearInterval(ageing);
    };
  }, [token]);

  return state;
}
