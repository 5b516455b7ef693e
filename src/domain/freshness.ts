// Computes how fresh a replica is without comparing clocks of two machines: it compares the primary's log position, when it was
// asked, with what the replica has replayed since. A primary that writes nothing is never ahead.

export type Sample = {
  /** Monotonic milliseconds of this process, before the primary was asked. */
  askedAtMs: number;
  /** Where its log ended then, in bytes. */
  lsn: number;
  /** Which line of history it writes; a failover begins another one. */
  timeline: string;
};

/** Five minutes at two samples a second. A replica further behind is not used. */
const MAX_SAMPLES = 600;

export class Freshness {
  #samples: Sample[] = [];
  #asOfMs: number | null = null;
  #timeline: string | null = null;
  #replayed: number | null = null;
  /** The replica's position when the primary was replaced. */
  #mustPass = Number.NEGATIVE_INFINITY;

  /** Everything that was committed before `askedAtMs` lies before `lsn`. */
  primaryWas(sample: Sample): void {
    if (this.#timeline !== null && sample.timeline !== this.#timeline) {
      // A replica may have replayed writes that the new primary never had, so it counts again once it follows the new one.
      this.#mustPass = this.#replayed ?? Number.NEGATIVE_INFINITY;
      this.#samples = [];
      this.#asOfMs = null;
    }
    this.#timeline = sample.timeline;
    this.#samples.push(sample);
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
  }

  /** The replica has replayed the log up to here. */
  replayed(lsn: number): void {
    this.#replayed = lsn;
    if (lsn <= this.#mustPass) return;
    const newest = this.#samples.findLastIndex((sample) => sample.lsn <= lsn);
    if (newest < 0) return;
    this.#asOfMs = this.#samples[newest]?.askedAtMs ?? null;
    this.#samples.splice(0, newest);
  }

  /** Another server may answer next. */
  forgetReplica(): void {
    this.#asOfMs = null;
    this.#replayed = null;
    this.#mustPass = Number.NEGATIVE_INFINITY;
  }

  /** Everything that was committed before this moment is on the replica; null: nothing is known. */
  asOfMs(): number | null {
    return this.#asOfMs;
  }
}
