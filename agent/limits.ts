// The limits of one post. The numbers of the protocol are those of src/agents/protocol-contract.ts, which would load its schema
// library into the agent; limits.test.ts compares them.

/** Heartbeats per post. */
export const MAX_HEARTBEATS = 500;
export const MAX_DISKS = 64;
export const MAX_SERVICES = 200;
export const MAX_NAMES = 2000;

/** The server reads 1 MiB and 20,000 values of a body; the agent stays below that, so that nothing depends on the last byte. */
export const MAX_BODY_BYTES = 900 * 1024;
export const MAX_BODY_VALUES = 18_000;

/** Bytes of an answer that are read. */
export const MAX_REPLY_BYTES = 64 * 1024;
