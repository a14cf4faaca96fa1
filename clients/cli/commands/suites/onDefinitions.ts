import '../../zodAtOnce.ts';

/** The commands that bring suites in files to the service, from other tools, and back, loaded together. */
export { exportToJsonl, exportToPromptfoo } from '../exchange/exportSuite.ts';
export { importFromPromptfoo } from '../exchange/importPromptfoo.ts';
export { diff } from './diff.ts';
export { pull } from './pull.ts';
export { push } from './push.ts';
