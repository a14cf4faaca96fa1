export { failedByError } from './errors.ts';
export { isJudged, judgeProviderOf } from './judged.ts';
export { judgeQuestionOf, readsMetadata } from './registry.ts';
export { repeatedParts } from './repeats.ts';
export { caseResult, scoreSuite } from './score.ts';
export { prepareSuite } from './suite.ts';
export { NO_FIGURES, verdictOf } from './verdict/verdict.ts';
