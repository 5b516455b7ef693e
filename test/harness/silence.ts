// A server that does not answer for a while: what it keeps waiting is accepted or refused later.

export type Silence = {
  /** Whether what waits has arrived all the same. */
  arrives: boolean;
  isOn: () => boolean;
  keep: (accept: () => void, refuse: () => void) => void;
  /** How much has been kept waiting. */
  count: () => number;
  /** From now on there are answers again; what waits goes on waiting. */
  lift: () => void;
  /** Accepts what waits. */
  accept: () => void;
  /** Refuses what waits for now. */
  refuse: () => void;
};

export function makeSilence(arrives: boolean): Silence {
  const kept: { accept: () => void; refuse: () => void }[] = [];
  let isOn = true;
  return {
    arrives,
    isOn: () => isOn,
    keep: (accept, refuse) => void kept.push({ accept, refuse }),
    count: () => kept.length,
    lift: () => {
      isOn = false;
    },
    accept: () => {
      for (const { accept } of kept) accept();
    },
    refuse: () => {
      for (const { refuse } of kept) refuse();
    },
  };
}
