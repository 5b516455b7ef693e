// Domain names in Unicode, as people read them.

const BASE = 36;
const FIRST_CODE = 128;
const PREFIX = 'xn--';

/** Decodes the punycode labels of a domain name (RFC 3492); an invalid label stays as it is. */
export const inUnicode = (domain: string): string => domain.split('.').map(labelInUnicode).join('.');

function labelInUnicode(label: string): string {
  if (!label.startsWith(PREFIX)) return label;
  return decoded(label.slice(PREFIX.length)) ?? label;
}

function decoded(text: string): string | null {
  const plain = Math.max(text.lastIndexOf('-'), 0);
  const codes = [...text.slice(0, plain)].map((each) => each.charCodeAt(0));
  let code = FIRST_CODE;
  let bias = 72;
  let place = 0;
  let at = plain === 0 ? 0 : plain + 1;
  while (at < text.length) {
    const before = place;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = Number.parseInt(text.charAt(at++), BASE);
      if (Number.isNaN(digit)) return null;
      // Letters count from 0 and digits from 26, the reverse of a number.
      const value = digit >= 10 ? digit - 10 : digit + 26;
      place += value * weight;
      const least = Math.min(Math.max(k - bias, 1), 26);
      if (value < least) break;
      weight *= BASE - least;
    }
    const count = codes.length + 1;
    bias = adapted(place - before, count, before === 0);
    code += Math.floor(place / count);
    place %= count;
    if (code > 0x10ffff) return null;
    codes.splice(place++, 0, code);
  }
  return String.fromCodePoint(...codes);
}

/** Adapts the bias after each step (RFC 3492, section 6.1). */
function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / count);
  let k = 0;
  while (rest > 455) {
    rest = Math.floor(rest / 35);
    k += BASE;
  }
  return k + Math.floor((36 * rest) / (rest + 38));
}
