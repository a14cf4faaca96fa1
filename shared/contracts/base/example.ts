/** Marks the example of a body: bundling leaves it out of every function. */
export const example = <T>(body: T): T => body;

/** Of whatever resource an example names. */
export const EXAMPLE_ID = '6f1c2d3e-4a5b-4c6d-8e7f-90a1b2c3d4e5';
