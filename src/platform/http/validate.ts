// Validates what comes in against a contract's schema, with a sentence that names the field.
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

/** Whether a value fits, and if not, why: for callers that refuse item by item instead of throwing. */
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
  if (problem.keyword === 'required') {
    const [name = ''] = problem.params.requiredProperties as string[];
    const field = at === '' ? name : `${at}.${name}`;
    return new Refusal('invalid_request', `${field} is required.`, { field });
  }
  const what = problem.message.replace(/^must /, '');
  if (at === '') return new Refusal('invalid_request', `The request body must ${what}.`);
  const allowed = allowedBy(problem, problems);
  const details = allowed === null ? null : `one of ${allowed.join(', ')}`;
  return new Refusal('invalid_request', `${at} must ${details ? `be ${details}` : what}.`, { field: at });
}

/** The refusal of a field that the request does not have. */
export function notAField(field: string): Refusal {
  // What is no name is shown in quotes: a sentence that begins with a blank names nothing.
  const shown = /^[\w.-]+$/.test(field) ? field : JSON.stringify(field);
  return new Refusal('invalid_request', `${shown} is not a field of this request.`, { field });
}

/** What an enum takes, or the constants that tell the branches of a union apart. */
function allowedBy({ keyword, params, instancePath }: Problem, problems: Problem[]): unknown[] | null {
  if (keyword === 'enum') return params.allowedValues as unknown[];
  if (keyword !== 'const') return null;
  const told = problems.filter((p) => p.keyword === 'const' && p.instancePath === instancePath);
  return told.map((p) => p.params.allowedValue);
}

/** A constant that tells the branches of a union apart (`kind`): `#/…/anyOf/1/properties/kind`. */
const TELLING = /^(.*\/anyOf\/)\d+(?=\/properties\/[^/]+$)/;

/** Of a union that a constant tells apart, only what is wrong with the branch that was meant; else the constants. */
function ofMeantBranches(problems: Problem[]): Problem[] {
  const told = problems.filter((p) => p.keyword === 'const' && TELLING.test(p.schemaPath));
  const strange = new Set(told.map(({ schemaPath }) => TELLING.exec(schemaPath)?.[0] ?? ''));
  const unions = new Set(told.map(({ schemaPath }) => TELLING.exec(schemaPath)?.[1] ?? ''));
  return problems.filter((problem) => {
    const { schemaPath } = problem;
    const union = [...unions].find((each) => schemaPath.startsWith(each));
    if (union === undefined) return true;
    const branch = ({ schemaPath }: Problem) => union + schemaPath.slice(union.length).split('/')[0];
    if (!strange.has(branch(problem))) return true;
    const isMeant = (p: Problem) => p.schemaPath.startsWith(union) && !strange.has(branch(p));
    return told.includes(problem) && !problems.some(isMeant);
  });
}

/** Of the branches of a union, the deepest problem is the one that the caller meant. */
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

/** Query strings are text: numbers and switches become what the schema says before they are validated. */
export function coerceQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {};
  const coerced: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value))
      throw new Refusal('invalid_request', `${name} is given more than once.`, { field: name });
    if (typeof value === 'string' && value.includes('\0'))
      throw new Refusal('invalid_request', `${name} contains a NUL character.`, { field: name });
    // It would be lost by the assignment below, and with it the refusal of an unknown parameter.
    if (name === '__proto__') throw notAField(name);
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    if (type === 'integer' && typeof value === 'string' && /^-?[0-9]{1,16}$/.test(value))
      coerced[name] = Number(value);
    else if (type === 'boolean' && (value === 'true' || value === 'false')) coerced[name] = value === 'true';
    else coerced[name] = value;
  }
  return coerced;
}
