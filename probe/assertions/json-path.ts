import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery } from 'json-p3';
import { matchesWhole, occurs } from './pattern.ts';

let made: JSONPathEnvironment | undefined;

/** RFC 9535 with match() and search() on the linear-time engine instead of JavaScript's. */
function makeEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: 100 });
  const onText = (test: (pattern: string, text: string) => boolean) => ({
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text: unknown, pattern: unknown) =>
      typeof text === 'string' && typeof pattern === 'string' && test(pattern, text),
  });
  environment.functionRegister.set('match', onText(matchesWhole));
  environment.functionRegister.set('search', onText(searches));
  return environment;
}

function searches(pattern: string, text: string): boolean {
  try {
    return occurs(pattern, text, true);
  } catch {
    return false;
  }
}

const compiled = new Map<string, JSONPathQuery>();
const MAX_COMPILED = 500;

/** The values a path selects in a document; throws if the path is not valid RFC 9535. */
export function select(path: string, document: unknown): unknown[] {
  let query = compiled.get(path);
  if (query === undefined) {
    made ??= makeEnvironment();
    query = made.compile(path);
    if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value as string);
    compiled.set(path, query);
  }
  return query.query(document as never).values();
}
