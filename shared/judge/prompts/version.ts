import type { AnswerForm } from '../prompt.ts';

/**
 * SHA-256 of the prompt's templates and the verdict's schemas, so that functions that only name it hold neither. A test
 * says what it must be.
 */
export const PROMPT_VERSION = '5a7a4d15290fa41e49e248a0a8aca51d3db894a88b9bc0a89f39bf916d6abe19';

/** As results name the prompt that their judge received. */
export const promptVersionOf = (form: AnswerForm): string =>
  `${PROMPT_VERSION.slice(0, 16)}${form === 'plain' ? '.plain' : ''}`;
