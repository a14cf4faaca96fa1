import type { Discovery, IssuerTokens } from '../accounts/ports.ts';
import { AppError, invalidField } from '../errors.ts';

/** 400 for an issuer whose discovery or keys cannot be read. */
export async function requireReadable(
  issuerTokens: Pick<IssuerTokens, 'discovery'>,
  issuer: string,
): Promise<Discovery> {
  return issuerTokens.discovery(issuer).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw invalidField(
      'issuer',
      "cannot be read: its address must answer with the discovery document of an OpenID Connect issuer of this very name and with its keys, over https, at a public address (others are the operator's to allow, by ISSUER_ALLOWLIST); try again in a minute",
    );
  });
}
