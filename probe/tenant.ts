/** The organization and owner of a check. */
export type Tenant = {
  /** Resources are shared over these; if a server does not name them, all its monitors count as one organization's. */
  organizationId: string;
  /** All organizations of this owner together get the share of one; absent: the organization is its own owner. */
  ownerId?: string | undefined;
};
