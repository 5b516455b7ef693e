import { decoded } from '../charset.ts';
import type { Finding, OnJudgement } from '../check-outcome.ts';
import type { At, Question } from './asked.ts';
import { headerFinding } from './header.ts';
import { jsonFinding } from './json.ts';
import { keywordFinding } from './keyword.ts';

/**
 * The first mismatch (headers, keyword, JSON, in that order), or undefined; with `onJudgement` everything is judged. Throws
 * on an invalid expression or path.
 */
export async function findingIn(
  question: Question,
  at: At,
  onJudgement?: OnJudgement,
): Promise<Finding | undefined> {
  const { header_assertions, keyword, json_assertions, headers, body } = question;
  let first: Finding | undefined;
  if (header_assertions.length > 0) first = await headerFinding(header_assertions, headers, at, onJudgement);
  if (body === null || (first && onJudgement === undefined)) return first;
  const text = decoded(body.bytes, body.charset);
  if (keyword !== null) {
    at('config.keyword');
    const found = await keywordFinding(keyword, text, onJudgement);
    first ??= found;
  }
  if (json_assertions.length === 0 || (first && onJudgement === undefined)) return first;
  const found = await jsonFinding(json_assertions, text, at, onJudgement);
  return first ?? found;
}
