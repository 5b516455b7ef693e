import type { IncomingHttpHeaders } from 'node:http';
import type { HttpConfig } from '../../src/monitors/config/http.ts';
import { decoded } from '../charset.ts';
import type { Finding, Tell } from '../observation.ts';
import { headerFinding } from './header.ts';
import { jsonFinding } from './json.ts';
import { keywordFinding } from './keyword.ts';

type Asked = Pick<HttpConfig, 'header_assertions' | 'keyword' | 'json_assertions'>;

/** Everything a check asks of an answer, as plain data (it may cross to a worker). */
export type Question = Asked & {
  headers: IncomingHttpHeaders;
  /** null: there is no body to look at; the headers are judged alone. */
  body: { bytes: Uint8Array; charset: string | undefined } | null;
};

/** Told which assertion is judged from now on, so that one that never ends can be named: a place in the config. */
export type At = (place: string) => void;

/** Whether a check looks at the body at all. */
export function asksForBody(config: Pick<HttpConfig, 'keyword' | 'json_assertions'>): boolean {
  return config.keyword !== null || config.json_assertions.length > 0;
}

/**
 * The first thing that is not as asked (headers, keyword, JSON, in that order), or undefined; with `tell` everything is
 * judged. Throws on an expression or path that is not valid.
 */
export async function findingIn(question: Question, at: At, tell?: Tell): Promise<Finding | undefined> {
  const { header_assertions, keyword, json_assertions, headers, body } = question;
  let first: Finding | undefined;
  if (header_assertions.length > 0) first = await headerFinding(header_assertions, headers, at, tell);
  if (body === null || (first && tell === undefined)) return first;
  const text = decoded(body.bytes, body.charset);
  if (keyword !== null) {
    at('config.keyword');
    const found = await keywordFinding(keyword, text, tell);
    first ??= found;
  }
  if (json_assertions.length === 0 || (first && tell === undefined)) return first;
  const found = await jsonFinding(json_assertions, text, at, tell);
  return first ?? found;
}
