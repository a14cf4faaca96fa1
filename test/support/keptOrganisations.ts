/** For purges of worlds in which no organisation is deleted. */
export const KEPT_ORGANISATIONS = {
  endBilling: async () => undefined,
  findOrganisation: async () => undefined,
  onDeleted: () => undefined,
};
