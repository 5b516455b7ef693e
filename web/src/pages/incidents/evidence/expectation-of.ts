/** The expectation of a finding beside its label, which says "Expected" already. */
export function expectationOf(summary: string): string {
  const rest = summary.replace(/^Expected /, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
