/**
 * Headers of every answer, errors included. HTML pages replace the content policy by their own, and what may be kept
 * replaces `no-store`: most answers are one caller's, and some carry a secret that is shown once.
 */
export function securityHeaders({ https }: { https: boolean }): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'content-security-policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
    ...(https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
