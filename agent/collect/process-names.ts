// Names of programs: never their arguments, their folders or what they were given (docs/rules/agents.md#inventory). Pure.

/** The kernel cuts a name after this many bytes. */
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

/** From the text of /proc/PID/stat. The name may hold spaces and brackets: it ends at the last one. */
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

/** Newer versions of Node name their first thread, by which the kernel then names the process: nobody knows it by that. */
const programOf = (name: string): string => (name === 'node-MainThread' ? 'node' : name);

/** Whether the kernel may have cut this name. */
export const mayBeCut = (name: string): boolean => Buffer.byteLength(name) >= CUT_BYTES;

/**
 * The whole name of a program whose name the kernel has cut, from the text of /proc/PID/cmdline: the file name in its first word, and
 * only if it begins with what the kernel says. A process may have written anything else there.
 */
export function wholeName(cut: string, commandLine: string): string {
  const [first = ''] = commandLine.split('\u0000');
  const file = first.slice(first.lastIndexOf('/') + 1);
  return file.startsWith(cut) && /^[\w.+@-]+$/.test(file) ? file : cut;
}

/** Names as they are sent: each once, in order, without what cannot be shown. */
export function namesOf(names: readonly string[], most: number): string[] {
  const plain = names.filter(
    (name) => name.trim() !== '' && [...name].length <= MAX_CHARACTERS && !CONTROL.test(name),
  );
  return [...new Set(plain)].sort().slice(0, most);
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\ufffd]/;
