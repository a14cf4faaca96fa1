export { failedByError } from './errors.ts';
export { scoreSuite } from './score.ts';
export { compileSuite } from './suite.ts';
export { verdictOf } from './verdict.ts';
