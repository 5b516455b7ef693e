/**
 * What Node is started with as a service: nothing compiled, from its start on, and little new memory at a time. Both are documented
 * options of Node: one that a later Node does not know would keep the service from starting.
 */
export const NODE_FLAGS = ['--jitless', '--max-semi-space-size=1'] as const;
