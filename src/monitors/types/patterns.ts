// Limits on the size of a monitor's patterns: with them a probe judges content that strangers send.
import { compile } from 'json-p3';
import { RE2JS } from 're2js';
import { invalidConfig } from './rules.ts';

const PATTERN_CHARACTERS = 512;
/** All patterns of a monitor together: the server and the probes compile them. */
const ALL_CHARACTERS = 4096;
/** Instructions of a compiled pattern, which counted repetitions multiply: each may be tried at every character. */
const PATTERN_INSTRUCTIONS = 1000;
const ALL_INSTRUCTIONS = 4000;
/** One value, as JSON. */
const VALUE_CHARACTERS = 4096;

export type PatternCheck = (pattern: unknown, field: string) => void;

/** Checks the patterns of one config, one after the other. Throws Refusal (`invalid_request`) with the field. */
export function patternCheck(): PatternCheck {
  let characters = 0;
  let instructions = 0;
  return (pattern, field) => {
    if (typeof pattern !== 'string' || pattern.length > PATTERN_CHARACTERS)
      invalidConfig(field, `must be a pattern of at most ${PATTERN_CHARACTERS} characters`);
    characters += pattern.length;
    if (characters > ALL_CHARACTERS)
      invalidConfig(
        field,
        `is too much: all patterns of a monitor have ${ALL_CHARACTERS} characters at most`,
      );
    const size = compiledSize(pattern, field);
    if (size > PATTERN_INSTRUCTIONS)
      invalidConfig(
        field,
        `is too large once its repetitions are written out (${size} instructions; ${PATTERN_INSTRUCTIONS} at most). Use fewer or shorter counted repetitions such as {0,500}`,
      );
    instructions += size;
    if (instructions > ALL_INSTRUCTIONS)
      invalidConfig(
        field,
        `is too much: all patterns of a monitor have ${ALL_INSTRUCTIONS} instructions at most once their repetitions are written out`,
      );
  };
}

/** Compiled by the engine that will run it, which decides whether it is valid: linear time, no back-references. */
function compiledSize(pattern: string, field: string): number {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch (error) {
    return invalidConfig(field, `is not a valid pattern (RE2 syntax): ${(error as Error).message}`);
  }
}

/** RFC 9535, by the library that will evaluate it. */
export function checkPath(path: string, field: string): void {
  try {
    compile(path);
  } catch (error) {
    invalidConfig(field, `is not a JSONPath such as $.data.items[0].id: ${(error as Error).message}`);
  }
}

/** A value that a part of a document is compared with. */
export function checkValue(value: unknown, field: string): void {
  if ((JSON.stringify(value) ?? '').length > VALUE_CHARACTERS)
    invalidConfig(field, `must have at most ${VALUE_CHARACTERS} characters, written as JSON`);
}
