import { AppError } from '../errors.ts';

/** What the issuer publishes could not be read, so that its token can be neither accepted nor rejected. */
export const issuerUnavailable = (issuer: string): AppError =>
  new AppError(
    'OIDC_ISSUER_UNAVAILABLE',
    `The discovery and the keys of ${issuer}, which check the tokens of jobs, cannot be fetched. The token is not spent: try again in a minute.`,
  );
