// What the address of a database says about TLS. The driver connects without TLS where it does not know the sslmode, and throws the
// bare error of the file system where a certificate is missing.

const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/** A sentence for each thing in the query of a database's address that cannot be used. Repeats nothing else of the address. */
export function tlsProblems(name: string, address: string, readFile: (path: string) => string): string[] {
  const { searchParams } = new URL(address);
  // Of a parameter that is given twice, the last one counts.
  const given = (parameter: string) => searchParams.getAll(parameter).at(-1) || null;
  const problems: string[] = [];
  const mode = given('sslmode');
  if (mode !== null && !MODES.includes(mode))
    problems.push(`The sslmode in ${name} is "${mode}"; it takes ${MODES.join(', ')}.`);
  for (const parameter of FILES) {
    const path = given(parameter);
    if (path === null) continue;
    try {
      readFile(path);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      problems.push(`The ${parameter} in ${name} names ${path}, which cannot be read (${code}).`);
    }
  }
  return problems;
}
