const MEMBERS_MAX = 12;
/** A large chain has larger blocks, so that the revision's list of them stays short. */
const MANY = 1_200;
const MEMBERS_MAX_OF_MANY = 48;
const BYTES_MAX = 48_000;

/** How many members a block of a chain of so many holds at most. */
export const sizeOf = (members: number): number => (members > MANY ? MEMBERS_MAX_OF_MANY : MEMBERS_MAX);

/** `bytes`: of the texts as JSON. `size`: see `sizeOf`. */
export const fits = (count: number, bytes: number, size: number): boolean =>
  count <= size && bytes <= BYTES_MAX;

export const textBytes = (texts: unknown): number => Buffer.byteLength(JSON.stringify(texts));
