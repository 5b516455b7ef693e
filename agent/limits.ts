// What one post may hold. The numbers of the protocol are those of src/agents/protocol-contract.ts, which would bring its
// schema library into the agent; limits.test.ts compares them.

/** Heartbeats of one post. */
export const MOST_HEARTBEATS = 500;
export const MOST_DISKS = 64;
export const MOST_SERVICES = 200;
export const MOST_NAMES = 2000;

/** The server reads 1 MiB and 20,000 values of a body; less, so that nothing depends on the last byte. */
export const MOST_BODY_BYTES = 900 * 1024;
export const MOST_BODY_VALUES = 18_000;

/** Bytes of an answer that are read. */
export const MOST_REPLY_BYTES = 64 * 1024;
