// Names of programs: never their arguments, folders or environment (docs/rules/agents.md#inventory). Pure.

/** The kernel truncates a name to this many bytes. */
const CUT_BYTES = 15;
const MAX_CHARACTERS = 128;
const KERNEL_THREAD = 0x0020_0000;
const TICK_MS = 10;

export type Stat = {
  pid: number;
  name: string;
  kernel: boolean;
  ended: boolean;
  started: string;
  usedMs: number;
  pages: number;
};

/** From the text of /proc/PID/stat. The name may contain spaces and brackets: it ends at the last bracket. */
export function statIn(text: string): Stat | null {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open === -1 || close < open) return null;
  const fields = text.slice(close + 2).split(' ');
  const number = (i: number) => Number(fields[i] ?? 0);
  return {
    pid: Number.parseInt(text, 10),
    name: programOf(text.slice(open + 1, close)),
    kernel: (number(6) & KERNEL_THREAD) !== 0,
    ended: fields[0] === 'Z' || fields[0] === 'X',
    started: fields[19] ?? '',
    usedMs: (number(11) + number(12)) * TICK_MS,
    pages: number(21),
  };
}

/**
 * Newer versions of Node name their main thread, and the kernel then reports that name for the process, which nobody would
 * recognize.
 */
const programOf = (name: string): string => (name === 'node-MainThread' ? 'node' : name);

/** Whether the kernel may have truncated this name. */
export const mayBeCut = (name: string): boolean => Buffer.byteLength(name) >= CUT_BYTES;

/**
 * The full name of a program whose name the kernel has truncated, from the text of /proc/PID/cmdline: the file name in its
 * first word, and only if it begins with the kernel's name. A process may have written anything else there.
 */
export function wholeName(cut: string, commandLine: string): string {
  const [first = ''] = commandLine.split('\u0000');
  const file = first.slice(first.lastIndexOf('/') + 1);
  return file.startsWith(cut) && /^[\w.+@-]+$/.test(file) ? file : cut;
}

/** Names as they are sent: each once, in order, without unprintable ones. */
export function namesOf(names: readonly string[], most: number): string[] {
  const plain = names.filter(
    (name) => name.trim() !== '' && [...name].length <= MAX_CHARACTERS && !CONTROL.test(name),
  );
  return [...new Set(plain)].sort().slice(0, most);
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: this looks for control characters.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\ufffd]/;
