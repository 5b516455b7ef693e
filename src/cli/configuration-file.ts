// Reads and writes a configuration file: YAML 1.2 or JSON, with variables in its texts. A mistake is refused with its line.
import { isNode, LineCounter, parseAllDocuments, stringify, visit, type YAMLError } from 'yaml';
import { ConfigurationFile } from '#src/configuration-apply/contract.ts';
import { parseJsonBody } from '../platform/http/json-body.ts';
import { validate } from '../platform/http/validate.ts';
import { Refusal, refuse } from '../platform/refusals.ts';

export type ReadFile = {
  file: ConfigurationFile;
  /** The line of a field (`projects.0.name`), or of the nearest value around it that the file has; null without any. */
  lineOf: (field: string) => number | null;
};

/** What `${NAME}` in a text stands for. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Uses of anchors, those inside of what is used included: a template for thousands of monitors, and no more than memory holds. */
const MAX_ALIASES = 100_000;
/** Top-level fields for anchors, which declare nothing. */
const TEMPLATES = /^x-/;
const FIELDS = Object.keys(ConfigurationFile.properties).join(', ');

type Yaml = Exclude<ReturnType<typeof parseAllDocuments>, unknown[] & { empty: true }>[number];

/**
 * Parses and checks a file. Refuses with `invalid_request` what is no YAML or not of the file's form, naming the line, and a
 * variable that has no value.
 */
export function readConfigurationFile(text: string, variables: Variables): ReadFile {
  const lines = new LineCounter();
  const document = parsed(text, lines);
  fillIn(document, lines, variables);
  const lineOf = (field: string): number | null => {
    const path = pathOf(field);
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return null;
  };
  const file = plainOf(document);
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    refuse('invalid_request', at(lineOf(''), `The file has no fields; it may have ${FIELDS}.`));
  for (const field of Object.keys(file))
    if (TEMPLATES.test(field)) delete (file as Record<string, unknown>)[field];
  try {
    validate(ConfigurationFile, file);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw located(error, lineOf(error.details.field ?? ''));
  }
  return { file: file as ConfigurationFile, lineOf };
}

/** `projects.0.name` → ['projects', 0, 'name'] */
const pathOf = (field: string): (string | number)[] =>
  field === '' ? [] : field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));

/** The same refusal with its line in front, in words of a file. */
function located(refusal: Refusal, line: number | null): Refusal {
  const message = refusal.message
    .replace(' of this request.', ' of a configuration file.')
    .replace('The request body', 'The file');
  return new Refusal(refusal.code, at(line, message), refusal.details, refusal.status);
}

const at = (line: number | null | undefined, message: string) =>
  line == null ? message : `Line ${line}: ${message}`;

function parsed(text: string, lines: LineCounter): Yaml {
  const documents = withoutOverflow(() =>
    parseAllDocuments(text, { lineCounter: lines, merge: true, prettyErrors: false, logLevel: 'silent' }),
  );
  const [first, second] = Array.isArray(documents) ? (documents as Yaml[]) : [];
  if (!first) return refuse('invalid_request', 'The file is empty.');
  const [problem] = [...first.errors, ...(second?.errors ?? [])];
  if (problem?.message.includes('call stack')) refuseDepth();
  if (problem) refuse('invalid_request', at(lineOfError(problem, lines), sentence(problem.message)));
  if (second)
    refuse('invalid_request', 'The file contains more than one YAML document; one file is one organization.');
  return first;
}

const lineOfError = ({ pos }: YAMLError, lines: LineCounter): number => lines.linePos(pos[0]).line;

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** A file of nothing but opening brackets ends the recursion of its parser. */
function withoutOverflow<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof RangeError) refuseDepth();
    throw error;
  }
}

function refuseDepth(): never {
  refuse('invalid_request', 'The file is nested too deeply.');
}

/** The file as plain values, by the rules for a JSON body. */
function plainOf(document: Yaml): unknown {
  let json: string | undefined;
  try {
    json = withoutOverflow(() => JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES })));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Of aliases that name themselves, or one another again and again, and of merge keys without a mapping.
    const { message } = error as Error;
    refuse(
      'invalid_request',
      `An alias or merge key (<<) of the file cannot be resolved: ${sentence(message)}`,
    );
  }
  try {
    return parseJsonBody(json ?? 'null', { maxValues: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw located(error, null);
  }
}

/** Puts the values of variables into the texts of the file. `$${` stands for `${`. */
function fillIn(document: Yaml, lines: LineCounter, variables: Variables): void {
  visit(document, {
    Scalar(key, node) {
      if (typeof node.value === 'number' && !Number.isFinite(node.value))
        refuse(
          'invalid_request',
          at(node.range && lines.linePos(node.range[0]).line, 'A number must be finite.'),
        );
      if (key === 'key' || typeof node.value !== 'string' || !node.value.includes('${')) return;
      const line = node.range ? lines.linePos(node.range[0]).line : null;
      node.value = filled(node.value, line, variables);
    },
  });
}

function filled(text: string, line: number | null, variables: Variables): string {
  return text.replace(/\$\$\{|\$\{([^}]*)\}?/g, (whole, name: string | undefined) => {
    if (name === undefined) return '${';
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || !whole.endsWith('}'))
      return refuse(
        'invalid_request',
        at(
          line,
          `${JSON.stringify(whole.slice(0, 60))} is no variable; write \${NAME}, or $\${ for the characters themselves.`,
        ),
      );
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined || value === '')
      return refuse('invalid_request', at(line, `The environment variable ${name} is not set.`));
    return value;
  });
}

/** The file as YAML, so that reading it gives the same file. */
export function writeConfigurationFile(file: ConfigurationFile): string {
  return stringify(
    file,
    (_key, value) => (typeof value === 'string' ? value.replaceAll('${', () => '$${') : value),
    {
      lineWidth: 0,
      // A text of blanks and a line break would be read as another one.
      blockQuote: false,
      aliasDuplicateObjects: false,
    },
  );
}
