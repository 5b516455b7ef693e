/** The organization and owner of a check. */
export type Subject = {
  /** What is shared is shared over these; all monitors of a server that does not name them are one's. */
  organizationId: string;
  /** Whose organizations together get what one gets; absent: it is shared over organizations alone. */
  ownerId?: string | undefined;
};
