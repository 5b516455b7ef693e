/** The parts of the account page in their order; the name is also the fragment that leads there. */
export const SECTIONS = [
  'profile',
  'password',
  'two-factor',
  'passkeys',
  'sessions',
  'push',
  'delete',
] as const;
export type SectionName = (typeof SECTIONS)[number];
