import type { Row, Size } from '../result.ts';

/** A model gives its figures as rows, those that are promised with a bound. `smallest` takes each step once. */
export type Model = (size: Size) => Promise<Row[]>;
