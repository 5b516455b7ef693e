/**
 * The header that marks a request as coming from a check. The probe sends it with every request, and no monitor's
 * config can leave it out. A client that forges it only gives up trust that others get.
 */
export const CHECK_MARK = 'x-tocsin-check';
