import type { HttpConfig } from '../../src/monitors/config/http.ts';
import type { Finding, Tell } from '../observation.ts';
import { jsonFinding } from './json.ts';
import { keywordFinding } from './keyword.ts';

/** Everything a check asks of a body, as plain data (it crosses to a worker). */
export type BodyQuestion = Pick<HttpConfig, 'keyword' | 'json_assertions'> & { text: string };

/** Whether a check looks at the body at all. */
export function asksForBody(config: Pick<HttpConfig, 'keyword' | 'json_assertions'>): boolean {
  return config.keyword !== null || config.json_assertions.length > 0;
}

/**
 * The first thing that is not as asked, or undefined; with `tell` everything is judged. Throws on an expression or path that is not
 * valid.
 */
export async function bodyFinding(question: BodyQuestion, tell?: Tell): Promise<Finding | undefined> {
  const { keyword, json_assertions: assertions, text } = question;
  const first = keyword === null ? undefined : await keywordFinding(keyword, text, tell);
  if (assertions.length === 0 || (first && tell === undefined)) return first;
  const second = await jsonFinding(assertions, text, tell);
  return first ?? second;
}

/** A path of names and indexes only: as quick as property access, whatever the document. */
const PLAIN_PATH = /^\$(\.[A-Za-z_][A-Za-z0-9_]*|\[(\d+|'[^'\\]*'|"[^"\\]*")\])*$/;

/**
 * Whether answering could take long on a body made for it: linear time on a megabyte with a large expression is still
 * seconds, and descendant paths multiply. Such questions are answered beside the main loop, with a time limit.
 */
export function couldBeSlow({ keyword, json_assertions: assertions }: BodyQuestion): boolean {
  return (
    keyword?.mode === 'regex' || assertions.some(({ path, op }) => op === 'matches' || !PLAIN_PATH.test(path))
  );
}
