// Validates input against a contract's schema; errors are sentences that name the field.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Refusal } from '../refusals.ts';

type Problem = {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: Record<string, unknown>;
  message: string;
};
type Compiled = { Check: (value: unknown) => boolean; Errors: (value: unknown) => Problem[] };

const compiled = new WeakMap<TSchema, Compiled>();

function validatorOf(schema: TSchema): Compiled {
  let validator = compiled.get(schema);
  if (!validator) {
    validator = Compile(schema) as unknown as Compiled;
    compiled.set(schema, validator);
  }
  return validator;
}

/**
 * Throws `invalid_request` naming the first field at fault; unknown fields are named too
 * (docs/rules/errors-and-conventions.md#unknown-fields).
 */
export function validate(schema: TSchema, value: unknown, prefix = ''): void {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return;
  throw refusalOf(validator.Errors(value), prefix);
}

/** Why a value does not fit, or null; for callers that refuse item by item instead of throwing. */
export function problemOf(schema: TSchema, value: unknown): string | null {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return null;
  return refusalOf(validator.Errors(value), '').message;
}

function refusalOf(all: Problem[], prefix: string): Refusal {
  const problems = ofMeantBranches(all);
  // `schema is false` only repeats what `additionalProperties` says by name.
  const problem = problems.find((p) => p.keyword === 'additionalProperties') ?? worst(problems);
  const at = join(prefix, problem?.instancePath ?? '');
  if (!problem) return new Refusal('invalid_request', 'The request is malformed.');
  if (problem.keyword === 'additionalProperties') {
    const [name = ''] = problem.params.additionalProperties as string[];
    const field = at === '' ? name : `${at}.${name}`;
    return notAField(field);
  }
  // Of many unknown fields the validator lists the first ones only, and not the error that has their names.
  if (problem.keyword === 'boolean' && at !== '') return notAField(at);
  if (problem.keyword === 'required') {
    const [name = ''] = problem.params.requiredProperties as string[];
    const field = at === '' ? name : `${at}.${name}`;
    return new Refusal('invalid_request', `${field} is required.`, { field });
  }
  const what = isEmpty(problem) ? 'not be empty' : problem.message.replace(/^must /, '');
  if (at === '') return new Refusal('invalid_request', `The request body must ${what}.`);
  const allowed = allowedBy(problem, problems);
  const details = allowed === null ? null : `one of ${allowed.join(', ')}`;
  return new Refusal('invalid_request', `${at} must ${details ? `be ${details}` : what}.`, { field: at });
}

/** A value that must not be empty is empty: the message does not count its characters. */
const isEmpty = ({ keyword, params }: Problem): boolean =>
  (keyword === 'minLength' || keyword === 'minItems') && params.limit === 1;

/** The refusal of an unknown field. */
export function notAField(field: string): Refusal {
  // Quotes unusual names, so that a blank name stays visible.
  const shown = /^[\w.-]+$/.test(field) ? field : JSON.stringify(field);
  return new Refusal('invalid_request', `${shown} is not a field of this request.`, { field });
}

/** The values of an enum, or the constants that distinguish the branches of a union. */
function allowedBy({ keyword, params, instancePath }: Problem, problems: Problem[]): unknown[] | null {
  if (keyword === 'enum') return params.allowedValues as unknown[];
  if (keyword !== 'const') return null;
  const constants = problems.filter((p) => p.keyword === 'const' && p.instancePath === instancePath);
  return constants.map((p) => p.params.allowedValue);
}

/** Path of a constant that distinguishes the branches of a union (`kind`): `#/…/anyOf/1/properties/kind`. */
const DISCRIMINATOR = /^(.*\/anyOf\/)\d+(?=\/properties\/[^/]+$)/;

/** For a union distinguished by a constant: the problems of the branch that the caller meant, or the allowed constants. */
function ofMeantBranches(problems: Problem[]): Problem[] {
  const tags = problems.filter((p) => p.keyword === 'const' && DISCRIMINATOR.test(p.schemaPath));
  const strange = new Set(tags.map(({ schemaPath }) => DISCRIMINATOR.exec(schemaPath)?.[0] ?? ''));
  const unions = new Set(tags.map(({ schemaPath }) => DISCRIMINATOR.exec(schemaPath)?.[1] ?? ''));
  return problems.filter((problem) => {
    const { schemaPath } = problem;
    const union = [...unions].find((each) => schemaPath.startsWith(each));
    if (union === undefined) return true;
    const branch = ({ schemaPath }: Problem) => union + schemaPath.slice(union.length).split('/')[0];
    if (!strange.has(branch(problem))) return true;
    const isMeant = (p: Problem) => p.schemaPath.startsWith(union) && !strange.has(branch(p));
    return tags.includes(problem) && !problems.some(isMeant);
  });
}

/** Among a union's branches, the caller meant the one with the deepest problem. */
function worst(problems: Problem[]): Problem | undefined {
  const depth = (p: Problem) => p.instancePath.split('/').length;
  return (
    problems
      .filter((p) => p.keyword !== 'anyOf' && p.keyword !== 'boolean')
      .sort((a, b) => depth(b) - depth(a))[0] ?? problems[0]
  );
}

function join(prefix: string, instancePath: string): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return [...(prefix === '' ? [] : [prefix]), ...parts].join('.');
}

/** Query strings are text: converts numbers and booleans as the schema says, before validation. */
export function coerceQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {};
  const coerced: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value))
      throw new Refusal('invalid_request', `${name} is given more than once.`, { field: name });
    if (typeof value === 'string' && value.includes('\0'))
      throw new Refusal('invalid_request', `${name} contains a NUL character.`, { field: name });
    // The assignment below would lose it, and with it the refusal of an unknown parameter.
    if (name === '__proto__') throw notAField(name);
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    if (type === 'integer' && typeof value === 'string' && /^-?[0-9]{1,16}$/.test(value))
      coerced[name] = Number(value);
    else if (type === 'boolean' && (value === 'true' || value === 'false')) coerced[name] = value === 'true';
    else coerced[name] = value;
  }
  return coerced;
}

/** An operation without a body accepts `{}` and no body; any field is refused by name. */
export function refuseContent(body: unknown): void {
  if (body === undefined || body === null) return;
  const [field] = typeof body === 'object' ? Object.keys(body) : [];
  if (typeof body === 'object' && !Array.isArray(body) && field === undefined) return;
  if (field === undefined || Array.isArray(body))
    throw new Refusal('invalid_request', 'This request takes no body.');
  throw notAField(field);
}
