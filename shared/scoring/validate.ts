export { type ConfigValidation, validateScorerConfig } from './registry.ts';
