// Formats instants for people whose time zone is unknown: always in UTC, and labelled so.

/** `2026-11-21 23:06 UTC`. */
export const utcMinute = (atMs: number): string => `${spelled(atMs).slice(0, 16)} UTC`;

/** `2026-11-21 23:06:31 UTC`. */
export const utcSecond = (atMs: number): string => `${spelled(atMs).slice(0, 19)} UTC`;

/** `2026-11-21`. */
export const utcDay = (atMs: number): string => spelled(atMs).slice(0, 10);

const spelled = (atMs: number) => new Date(atMs).toISOString().replace('T', ' ');
