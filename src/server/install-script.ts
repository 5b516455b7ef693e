// The script that fetches the agent, verifies it and has it install itself, made for one server and one file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEMPLATE = readFileSync(join(import.meta.dirname, 'install-agent.sh'), 'utf8');

/** `sha256`: of the agent's file, which the script accepts and no other. */
export function installScript({ baseUrl, sha256 }: { baseUrl: string; sha256: string }): string {
  const values: Readonly<Record<string, string>> = {
    '@QUOTED_URL@': `'${baseUrl.replaceAll("'", "'\\''")}'`,
    // In a comment, and nowhere else.
    '@URL@': baseUrl,
    '@SHA256@': sha256,
  };
  return TEMPLATE.replace(/@[A-Z0-9_]+@/g, (name) => values[name] ?? name);
}
