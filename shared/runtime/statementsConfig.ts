import * as z from 'zod';
import { listSchema, readVariables, type SigningKeysConfig, signingKeysOf } from './config.ts';

export const statementsVariables = {
  /** What statements are signed under, the first one by; all are published: keys of KMS, or PEM files, of the curve P-256. */
  STATEMENT_KMS_KEY_IDS: listSchema.optional(),
  STATEMENT_KEY_FILES: listSchema.optional(),
  KMS_ENDPOINT: z.url().optional(),
};

/** Only functions that sign statements, or publish their keys, have them. */
export function readStatements(
  env: Readonly<Record<string, string | undefined>>,
): SigningKeysConfig | undefined {
  const { STATEMENT_KMS_KEY_IDS, STATEMENT_KEY_FILES, KMS_ENDPOINT } = readVariables(
    z.object(statementsVariables),
    env,
  );
  return signingKeysOf(STATEMENT_KMS_KEY_IDS, STATEMENT_KEY_FILES, KMS_ENDPOINT);
}
