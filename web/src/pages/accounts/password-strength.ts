/** Estimates the strength of a password from its length and variety, 0 (empty) to 4. Only a hint. */
export function passwordStrength(password: string): 0 | 1 | 2 | 3 | 4 {
  if (password === '') return 0;
  const pool =
    (/[a-z]/.test(password) ? 26 : 0) +
    (/[A-Z]/.test(password) ? 26 : 0) +
    (/[0-9]/.test(password) ? 10 : 0) +
    (/[^a-zA-Z0-9]/.test(password) ? 33 : 0);
  // Repeated characters and runs (aaaa, 1234) add almost nothing.
  let fresh = 0;
  for (let i = 0; i < password.length; i++) {
    const step = password.charCodeAt(i) - password.charCodeAt(i - 1);
    fresh += i > 0 && Math.abs(step) <= 1 ? 0.25 : 1;
  }
  const bits = fresh * Math.log2(pool);
  if (password.length < 8 || bits < 36) return 1;
  if (bits < 56) return 2;
  return bits < 76 ? 3 : 4;
}
