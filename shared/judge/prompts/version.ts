/**
 * SHA-256 of the prompt's templates and the verdict's schemas, so that functions that only name it hold neither. A test
 * says what it must be.
 */
export const PROMPT_VERSION = '40976fe5d366b80b9def15cd46410b7f6e03e5affdb44421e7dfc66847b6966a';
