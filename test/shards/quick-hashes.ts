// A password's hash takes 60 ms of a core, by design, and the tests of a shard make and check hundreds. Here it is the same
// function with fewer rounds: what is hashed in a shard is checked in it. The real cost is for units and programs, and for a file
// that is run alone.
import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** The library's rounds, and ours. */
const ROUNDS = 16_384;
const FEW_ROUNDS = 64;

type Done = (error: Error | null, key: Buffer<ArrayBuffer>) => void;

/** Lets this process hash passwords at a two hundredth of the cost, whoever has imported the function. */
export function hashQuickly(): void {
  const { scrypt } = crypto;
  crypto.scrypt = (password, salt, length, options: ScryptOptions | Done, done?: Done) => {
    if (typeof options === 'function' || done === undefined) throw new Error('the library gives its options');
    scrypt(password, salt, length, options.N === ROUNDS ? { ...options, N: FEW_ROUNDS } : options, done);
  };
  syncBuiltinESMExports();
}
