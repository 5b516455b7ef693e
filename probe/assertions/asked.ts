// The question that a check asks about an answer, and its messages to and from a worker.
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { Judgement } from '#src/probe-protocol/contract.ts';
import type { Finding } from '../check-outcome.ts';

type Assertions = Pick<HttpConfig, 'header_assertions' | 'keyword' | 'json_assertions'>;

/** All assertions of a check about an answer, as plain data (it may be sent to a worker). */
export type Question = Assertions & {
  headers: IncomingHttpHeaders;
  /** null: there is no body to check; only the headers are judged. */
  body: { bytes: Uint8Array; charset: string | undefined } | null;
};

/** Called with the path in the config of each assertion before it is judged, so that one that never ends can be named. */
export type At = (path: string) => void;

/** Whether a check reads the body at all. */
export function asksForBody(config: Pick<HttpConfig, 'keyword' | 'json_assertions'>): boolean {
  return config.keyword !== null || config.json_assertions.length > 0;
}

/** `judgeAll`: returns every judgement, not just the first finding. */
export type AskedOfWorker = { question: Question; judgeAll: boolean };
export type WorkerReply = { finding: Finding | undefined; judgements: Judgement[] } | { invalid: string };
/** `cpuMs`: processor time that the thread has used so far, its start included. */
export type WorkerMessage = { reply: 'ready' | WorkerReply; cpuMs: number };
