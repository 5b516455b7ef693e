// People copy this code into tickets and chats, so secrets are masked, even those that the page shows. Pure.

const MASK = '••••';
/** Names of fields, headers and query parameters. */
const SECRET =
  /pass(?:word|phrase)?$|secret|token|api[-_]?key|private[-_]?key|credential|cookie|authorization|signature|^(?:key|sig|auth|code)$/i;
/** These addresses are credentials themselves. */
const SECRET_ADDRESS = /^(?:ping_url|calendar_url)$/;

/** A copy of a JSON value without secrets. */
export function masked(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => masked(each, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, masked(each, key)]));
  if (typeof value !== 'string' || value === '') return value;
  if (SECRET.test(name)) return MASK;
  return SECRET_ADDRESS.test(name) ? originOnly(value) : maskedAddress(value);
}

function originOnly(value: string): string {
  const url = URL.parse(value);
  return url === null ? MASK : `${url.origin}/${MASK}`;
}

/** Masks user, password and secret parameters; the rest of the address is unchanged. */
function maskedAddress(value: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return value;
  return value
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@?#]*@/i, `$1${MASK}@`)
    .replace(/([?&])([^=&#]*)=([^&#]*)/g, (whole, sign: string, name: string) =>
      SECRET.test(name) ? `${sign}${name}=${MASK}` : whole,
    );
}
