export { failedByError } from './errors.ts';
export { repeatedParts } from './repeats.ts';
export { caseResult, scoreSuite } from './score.ts';
export { compileSuite } from './suite.ts';
export { verdictOf } from './verdict/verdict.ts';
