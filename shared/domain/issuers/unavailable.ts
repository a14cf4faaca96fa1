import { AppError } from '../errors.ts';

/** What the issuer publishes could not be read, so that its token can be neither accepted nor rejected. */
export const issuerUnavailable = (issuer: string): AppError =>
  new AppError(
    'OIDC_ISSUER_UNAVAILABLE',
    `${issuer} cannot be reached, so that its tokens cannot be checked. The token is not spent: try again in a minute.`,
  );
