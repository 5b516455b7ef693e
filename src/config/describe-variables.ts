// The table of variables as docs/self-hosting.md has it.
import { VARIABLES, type Variable } from './variables.ts';

const BEGIN = '<!-- variables: written by npm run generate:variables from src/config/variables.ts -->';
const END = '<!-- /variables -->';

/** The page with its table of variables as the code has them. Throws where the page has no place for it. */
export function withVariables(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error(`The page has no ${BEGIN} … ${END}.`);
  return `${before}${BEGIN}\n${table()}${END}${after}`;
}

function table(): string {
  const rows = Object.values<Variable<unknown>>(VARIABLES).map((variable) => {
    const fixed = variable.default ? `\`${variable.default}\`` : '';
    const takes = variable.parser.takes === 'any text' ? '' : variable.parser.takes;
    return [
      `\`${variable.name}\`${variable.secret ? ' *' : ''}`,
      variable.defaultSaid ?? fixed,
      takes,
      variable.sentence,
    ];
  });
  const lines = [['variable', 'default', 'takes', ''], ['---', '---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
