// The form values of a region.
import type { AdministeredRegion } from '#src/regions/contract.ts';

export type RegionValues = {
  name: string;
  slug: string;
  internal: boolean;
  allow_private_targets: boolean;
  keep_private_responses: boolean;
  canaries: string[];
};

export const NEW_REGION: RegionValues = {
  name: '',
  slug: '',
  internal: false,
  allow_private_targets: false,
  keep_private_responses: false,
  canaries: [],
};

export function valuesOf(region: AdministeredRegion): RegionValues {
  const { name, slug, internal, allow_private_targets, keep_private_responses, canaries } = region;
  return { name, slug, internal, allow_private_targets, keep_private_responses, canaries };
}
