/** The sections of the account page in their order; each name is also the URL fragment. */
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
