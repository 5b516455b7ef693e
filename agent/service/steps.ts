// The steps of an installation, and the shell script that `--print` makes of them.

export type Step =
  /** `mayFail`: the thing to remove may be absent. */
  | { kind: 'run'; words: readonly string[]; mayFail?: boolean }
  | { kind: 'folder'; path: string; mode: number }
  | { kind: 'file'; path: string; mode: number; text: string }
  | { kind: 'copy'; from: string; to: string; mode: number }
  | { kind: 'remove'; path: string }
  /** Enrols as the user that the agent runs as; the token goes into its environment, never into a command line. */
  | { kind: 'enrol'; words: readonly string[]; user: string | null; through: 'runuser' | 'sudo' }
  | { kind: 'note'; text: string };

export const TOKEN_VARIABLE = 'TOCSIN_TOKEN';

/** The steps as a script: the files it writes and the commands it runs. */
export function asScript(steps: readonly Step[]): string {
  return `${steps.map(shown).join('\n')}\n`;
}

function shown(step: Step): string {
  switch (step.kind) {
    case 'run':
      return `${step.words.map(quoted).join(' ')}${step.mayFail ? ' || true' : ''}`;
    case 'folder':
      return `mkdir -p -m ${octal(step.mode)} ${quoted(step.path)}`;
    case 'file':
      return `cat > ${quoted(step.path)} <<'END'\n${step.text}END\nchmod ${octal(step.mode)} ${quoted(step.path)}`;
    case 'copy':
      return `cp ${quoted(step.from)} ${quoted(step.to)}\nchmod ${octal(step.mode)} ${quoted(step.to)}`;
    case 'remove':
      return `rm -rf ${quoted(step.path)}`;
    case 'enrol': {
      const as = step.user === null ? '' : `${step.through} -u ${step.user} -- `;
      const given = `${TOKEN_VARIABLE}="$${TOKEN_VARIABLE}"`;
      return `${as === '' ? `${given} ` : `${as}env ${given} `}${step.words.map(quoted).join(' ')}`;
    }
    case 'note':
      return step.text.replace(/^/gm, '# ');
  }
}

const octal = (mode: number) => mode.toString(8);

/** A word quoted for the shell. */
const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
