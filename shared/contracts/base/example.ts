/** Of whatever resource an example of a body names. */
export const EXAMPLE_ID = '6f1c2d3e-4a5b-4c6d-8e7f-90a1b2c3d4e5';
