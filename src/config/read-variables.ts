// Reads the environment by the table of variables. A wrong value adds a sentence and counts as absent, so that one start finds
// every problem.
import { VARIABLES, type Values, type Variable } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Place = { env: Environment; problems: string[]; readFile: (path: string) => string };

/** The value of every variable, or its default. Adds a sentence to `problems` for each that cannot be used. */
export function readVariables(place: Place): Values {
  const entries = Object.entries<Variable<unknown>>(VARIABLES);
  return Object.fromEntries(entries.map(([field, variable]) => [field, readOne(variable, place)])) as Values;
}

/** Whether a variable is given, be its value right or wrong. */
export function isGiven(field: keyof Values, env: Environment): boolean {
  const { name, secret }: Variable<unknown> = VARIABLES[field];
  return plain(name, env) !== null || (secret === true && plain(`${name}_FILE`, env) !== null);
}

function readOne(variable: Variable<unknown>, place: Place): unknown {
  const { name, parser, secret } = variable;
  const text = secret ? secretIn(name, place) : plain(name, place.env);
  const value = text === null ? undefined : parser.parse(text);
  if (text !== null && value === undefined) {
    // A secret, or what may hold one, is not repeated.
    const given = secret ? `${name} takes` : `${name} is "${text}"; it takes`;
    place.problems.push(`${given} ${parser.takes}${parser.hint ?? ''}.`);
  }
  return value ?? (variable.default === null ? null : parser.parse(variable.default));
}

/** An empty value counts as absent: compose files pass unset variables so. */
const plain = (name: string, env: Environment): string | null => env[name]?.trim() || null;

function secretIn(name: string, { env, problems, readFile }: Place): string | null {
  const direct = plain(name, env);
  const path = plain(`${name}_FILE`, env);
  if (path === null) return direct;
  if (direct !== null) {
    problems.push(`${name} and ${name}_FILE are both given; keep one of them.`);
    return null;
  }
  try {
    const text = readFile(path).trim();
    if (text === '') problems.push(`${name}_FILE names ${path}, which is empty.`);
    return text || null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    problems.push(`${name}_FILE names ${path}, which cannot be read (${code}).`);
    return null;
  }
}
