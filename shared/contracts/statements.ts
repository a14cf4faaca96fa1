import * as z from 'zod';
import { defineContract } from './base/contract.ts';
import { STATEMENT_FORM } from './base/statementForm.ts';

const statementSchema = z.object({
  mediaType: z.literal(STATEMENT_FORM.mediaType),
  verificationMaterial: z.object({
    publicKey: z.object({ hint: z.string() }),
    tlogEntries: z.array(z.unknown()).length(0),
  }),
  dsseEnvelope: z.object({
    payloadType: z.literal(STATEMENT_FORM.payloadType),
    /** Base64 of an in-toto statement: the outputs, the bar, the figures and the job of the run. */
    payload: z.string(),
    signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })).length(1),
  }),
});
export type Statement = z.infer<typeof statementSchema>;

const statementJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
  /** RFC 7638. */
  kid: z.string(),
  x: z.string(),
  y: z.string(),
  /** The same key, for tools that take a file. */
  pem: z.string(),
});
export type StatementJwk = z.infer<typeof statementJwkSchema>;

export const getStatement = defineContract('runs/statement', 'GET /v1/runs/:runId/statement', {
  summary: 'A signed file that proves, without the service, which bar cleared which outputs',
  scope: 'result',
  responses: { 200: statementSchema },
  errors: ['RUN_NOT_CLEARED', 'STATEMENTS_NOT_CONFIGURED'],
  rights: { table: ['GetItem', 'BatchGetItem'], statements: 'sign' },
});

export const getStatementKeys = defineContract('runs/statementKeys', 'GET /.well-known/statement-keys.json', {
  summary: 'The public keys that statements are verified with, the one that signs first',
  access: 'public',
  responses: { 200: z.object({ keys: z.array(statementJwkSchema) }) },
  rights: { table: [], statements: 'publish' },
});

export const statementContracts = [getStatement, getStatementKeys];
