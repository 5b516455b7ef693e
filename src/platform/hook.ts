// Slices call down and run hooks up: a slice announces an event, and src/reactions.ts lists the slices that react.
import type { Work } from './work.ts';

export type Hook<Fact> = {
  /** Runs every reaction, one after the other, inside the same unit of work. An error rolls back all of it. */
  run: (work: Work, fact: Fact) => Promise<void>;
  /** Adds a reaction. Used by src/reactions.ts only. */
  on: (reaction: (work: Work, fact: Fact) => Promise<void>) => void;
};

/** Declares a hook that a lower slice runs for those above it. */
export function hook<Fact>(): Hook<Fact> {
  const reactions: ((work: Work, fact: Fact) => Promise<void>)[] = [];
  return {
    async run(work, fact) {
      for (const reaction of reactions) await reaction(work, fact);
    },
    on(reaction) {
      reactions.push(reaction);
    },
  };
}
