/**
 * The header by which a request says that it comes from a check: the probe sends it with each, and nobody who writes a monitor
 * can leave it out. Who sends it without being one only gives up what others are believed.
 */
export const CHECK_MARK = 'x-tocsin-check';
