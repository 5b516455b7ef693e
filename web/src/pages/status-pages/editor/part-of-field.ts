import type { EditorPart } from './parts.ts';

const PARTS: Record<string, EditorPart> = {
  name: 'general',
  slug: 'general',
  headline: 'general',
  description: 'general',
  timezone: 'general',
  header_nav: 'general',
  auto_link_incidents: 'general',
  monitors: 'monitors',
  tags: 'monitors',
  collapsed_groups: 'monitors',
  hide_platform_brand: 'look',
  access_mode: 'access',
  password_protected: 'access',
  enabled: 'access',
};

/** The part of the editor that contains a refused field; undefined: none. */
export const partOfField = (field: string | undefined): EditorPart | undefined =>
  PARTS[field?.split('.')[0] ?? ''];
