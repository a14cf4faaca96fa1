export { failedByError } from './errors.ts';
export { caseResult, scoreSuite } from './score.ts';
export { compileSuite } from './suite.ts';
export { verdictOf } from './verdict.ts';
