/** The most that the service answers at once. */
export const PAGE_SIZE = 100;
