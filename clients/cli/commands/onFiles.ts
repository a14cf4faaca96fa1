import '../zodAtOnce.ts';

/** The commands that work on files alone, loaded together. */
export { init } from './init/init.ts';
export { trySuite } from './try.ts';
export { validate } from './validate.ts';
