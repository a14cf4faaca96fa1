import '../../zodAtOnce.ts';

/** The commands that bring suites in files to the service and back, loaded together. */
export { diff } from './diff.ts';
export { pull } from './pull.ts';
export { push } from './push.ts';
