// What is asked of an answer, and how it crosses to a worker and back.
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { Judgement } from '#src/probe-protocol/contract.ts';
import type { Finding } from '../observation.ts';

type Asked = Pick<HttpConfig, 'header_assertions' | 'keyword' | 'json_assertions'>;

/** Everything a check asks of an answer, as plain data (it may cross to a worker). */
export type Question = Asked & {
  headers: IncomingHttpHeaders;
  /** null: there is no body to look at; the headers are judged alone. */
  body: { bytes: Uint8Array; charset: string | undefined } | null;
};

/** Called with the assertion that is judged from now on, so that one that never ends can be named: a place in the config. */
export type At = (place: string) => void;

/** Whether a check looks at the body at all. */
export function asksForBody(config: Pick<HttpConfig, 'keyword' | 'json_assertions'>): boolean {
  return config.keyword !== null || config.json_assertions.length > 0;
}

/** `judgeAll`: every judgement is asked for, not just the first finding. */
export type AskedOfWorker = { question: Question; judgeAll: boolean };
export type WorkerReply = { finding: Finding | undefined; judgements: Judgement[] } | { invalid: string };
/** `cpuMs`: processor time that the thread has taken so far, its start included. */
export type WorkerMessage = { reply: 'ready' | WorkerReply; cpuMs: number };
