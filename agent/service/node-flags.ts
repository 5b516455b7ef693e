/**
 * The options of Node as a service: no compilers, from the start on, and small memory increments. All are documented options:
 * one that a later Node does not have would keep the service from starting.
 */
export const NODE_FLAGS = ['--jitless', '--max-semi-space-size=1'] as const;
