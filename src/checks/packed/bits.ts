// Writes numbers into a bit string, one after the other, most significant bit first.

/** Numbers wider than this are written in two parts. */
const AT_ONCE = 24;

/** How many bits a whole number needs; 0 needs none. Up to 2⁵³. */
export function bitsOf(value: number): number {
  if (value < 2 ** 31) return 32 - Math.clz32(value);
  return 31 + bitsOf(Math.floor(value / 2 ** 31));
}

export class Bits {
  #bytes = new Uint8Array(1024);
  #length = 0;
  #open = 0;
  #openBits = 0;

  /** A whole number from 0 on, in exactly `width` bits. */
  put(value: number, width: number): void {
    if (width > AT_ONCE) {
      const upper = Math.floor(value / 2 ** AT_ONCE);
      this.put(upper, width - AT_ONCE);
      this.put(value - upper * 2 ** AT_ONCE, AT_ONCE);
      return;
    }
    this.#open = (this.#open << width) | value;
    this.#openBits += width;
    while (this.#openBits >= 8) {
      this.#openBits -= 8;
      this.#push(this.#open >>> this.#openBits);
      this.#open &= (1 << this.#openBits) - 1;
    }
  }

  /** A whole number from 0 on, preceded by its length in 6 bits. */
  putNumber(value: number): void {
    const length = Math.max(1, bitsOf(value));
    this.put(length, 6);
    this.put(value, length);
  }

  /** A whole number: its sign, then its size as in `putNumber`. */
  putSigned(value: number): void {
    this.put(value < 0 ? 1 : 0, 1);
    this.putNumber(Math.abs(value));
  }

  /** Everything written, as a PostgreSQL bit string, padded with zeros to whole bytes. */
  text(): string {
    if (this.#openBits > 0) this.put(0, 8 - this.#openBits);
    return `X${Buffer.from(this.#bytes.buffer, 0, this.#length).toString('hex')}`;
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }
}
