// How a service may be called (docs/rules/monitor-types.md#service).

const MAX_CHARACTERS = 128;
/** Path separators, and what a shell gives a meaning to. */
const FORBIDDEN = /[/\\;&|$<>(){}[\]*?!'"`~#%^]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Why a service cannot be called so, to follow the name of the field; null where it can. */
export function serviceNameProblem(name: string): string | null {
  if (name.trim() === '') return 'must not be empty';
  if (name.trim() !== name) return 'must not begin or end with a space';
  if ([...name].length > MAX_CHARACTERS) return `must be at most ${MAX_CHARACTERS} characters long`;
  if (CONTROL.test(name)) return 'must not contain control characters';
  const [found] = FORBIDDEN.exec(name) ?? [];
  if (found !== undefined) return `must not contain ${found}`;
  // It would be read as an option by what is asked for the service.
  return name.startsWith('-') ? 'must not begin with a hyphen' : null;
}

export const isServiceName = (name: string): boolean => serviceNameProblem(name) === null;
