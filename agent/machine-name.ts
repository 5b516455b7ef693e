import { readFileSync } from 'node:fs';
import { arch, hostname, release, type } from 'node:os';

/** The machine's description in an enrolment. */
export type MachineName = { hostname: string; platform: string; os: string; arch: string };

export function machineName(name?: string): MachineName {
  return {
    hostname: plain(name ?? hostname(), 253) || 'unnamed',
    platform: process.platform,
    os: plain(systemName() ?? `${type()} ${release()}`, 200),
    arch: arch(),
  };
}

/** `Debian GNU/Linux 13 (trixie)`, from the text of /etc/os-release. */
export function prettyName(text: string): string | null {
  const [, value] = /^PRETTY_NAME=(.*)$/m.exec(text) ?? [];
  return value?.replace(/^(["'])(.*)\1$/, '$2').replace(/\\(["'$`\\])/g, '$1') || null;
}

function systemName(): string | null {
  if (process.platform === 'darwin') return `macOS (${type()} ${release()})`;
  if (process.platform === 'win32') return `Windows ${release()}`;
  try {
    return prettyName(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return null;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this removes control characters.
const plain = (text: string, most: number) => text.replace(/[\u0000-\u001f\u007f]/g, '').slice(0, most);
