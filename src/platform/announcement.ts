// Slices call down and announce up: a slice says what happened, src/reactions.ts says who reacts.
import type { Work } from './work.ts';

export type Announcement<Fact> = {
  /** Runs every reaction inside the same unit of work. */
  announce: (work: Work, fact: Fact) => Promise<void>;
  /** Used by src/reactions.ts only. */
  react: (reaction: (work: Work, fact: Fact) => Promise<void>) => void;
};

/** Declares a fact that a lower slice announces to those above it. */
export function announcement<Fact>(): Announcement<Fact> {
  const reactions: ((work: Work, fact: Fact) => Promise<void>)[] = [];
  return {
    async announce(work, fact) {
      for (const reaction of reactions) await reaction(work, fact);
    },
    react(reaction) {
      reactions.push(reaction);
    },
  };
}
