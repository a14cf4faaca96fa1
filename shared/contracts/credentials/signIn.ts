import * as z from 'zod';
import { dataOf, nameSchema, slugSchema, timestampSchema } from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { EDIT, WRITE } from '../base/rights.ts';
import { SCOPES } from '../base/scopes.ts';
import { issuerSchema } from './issuerUrl.ts';

const text = (charactersMax: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(charactersMax, `at most ${charactersMax.toLocaleString('en')} characters`)
    .regex(/^[\x21-\x7e]*$/, 'must hold visible ASCII characters only');

/** RFC 6749, section 3.3. */
const oauthScopeSchema = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be one scope of OAuth');

const providerFields = {
  issuer: issuerSchema,
  /** The application that the provider knows as this service. */
  client_id: text(255),
  /** The claim with the id of a person: `oid` at Microsoft Entra. */
  subject_claim: z.enum(['sub', 'oid']).default('sub'),
  /** What people are called; null: their names are not kept. */
  name_claim: z.enum(['name', 'email', 'preferred_username']).nullable().default('name'),
  /** Beside `openid profile email`, such as `groups`. */
  scopes: z.array(oauthScopeSchema).max(10).default([]),
};

export const signInSchema = z.object({
  ...providerFields,
  /** What its button shows. */
  label: z.string(),
  has_secret: z.boolean(),
  /** What the provider has to know as the address that persons come back to. */
  redirect_uri: z.string(),
  /** Where persons begin. */
  sign_in_url: z.string(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type SignIn = z.infer<typeof signInSchema>;

/** Strict: what was ignored would be a sign-in by other rules. */
const newSignInSchema = z.strictObject({
  ...providerFields,
  /** Only where the provider insists: without one the client is public, with PKCE. */
  client_secret: text(1_024).optional(),
  label: nameSchema.max(100, 'at most 100 characters').optional(),
});
export type NewSignIn = z.output<typeof newSignInSchema>;

export const putSignIn = defineContract('signIn/put', 'PUT /v1/sign-in', {
  summary: "Let persons sign in with the organisation's own OpenID Connect provider",
  reauthentication: 'always',
  forBrowsers: true,
  body: newSignInSchema,
  example: { issuer: 'https://login.example.com', client_id: 'evalgate' },
  responses: { 200: dataOf(signInSchema) },
  errors: ['NOT_FOUND', 'OIDC_ISSUER_UNAVAILABLE'],
  rights: { table: ['GetItem', ...WRITE], vault: 'encrypt', jobs: true, baseUrl: true },
});

export const getSignIn = defineContract('signIn/get', 'GET /v1/sign-in', {
  summary: "The organisation's provider of sign-ins; never its secret",
  forBrowsers: true,
  responses: { 200: dataOf(signInSchema) },
  errors: ['NOT_FOUND'],
  rights: { table: ['GetItem'], baseUrl: true },
});

export const deleteSignIn = defineContract('signIn/delete', 'DELETE /v1/sign-in', {
  summary: 'Let no person sign in any more',
  reauthentication: 'always',
  forBrowsers: true,
  responses: { 204: null },
  errors: ['NOT_FOUND'],
  rights: { table: ['GetItem', ...WRITE, 'DeleteItem'] },
});

export const endPersonSessions = defineContract('signIn/endSessions', 'DELETE /v1/sign-in/sessions', {
  summary: 'End the sessions of one person, or of all, at once; tokens of their command lines, too',
  reauthentication: 'always',
  forBrowsers: true,
  /** Strict: a misspelt name would end the sessions of all. */
  query: z.strictObject({
    /** The provider's id of the person; left out: all persons. */
    subject: z.string().min(1).max(255).optional(),
  }),
  responses: { 204: null },
  errors: ['NOT_FOUND'],
  rights: { table: ['GetItem', ...EDIT] },
});

export const beginSignIn = defineContract('auth/beginSignIn', 'POST /v1/auth/sign-in', {
  summary: 'Begin a sign-in: where the page sends the browser, and a cookie for ten minutes',
  access: 'public',
  forBrowsers: true,
  body: z.strictObject({
    /** Its id. */
    organisation: z.string(),
    /** The slug of the project whose rights are wanted first. */
    project: slugSchema.optional(),
    /** The provider asks for the password again, for what is sensitive. */
    fresh: z.boolean().default(false),
  }),
  example: { organisation: '5f1c9a86-3b7d-4c21-9e0f-6a2b8d4c7e13', project: 'support-bot' },
  responses: { 200: dataOf(z.object({ url: z.string(), label: z.string() })) },
  errors: ['NOT_FOUND', 'OIDC_ISSUER_UNAVAILABLE'],
  rights: { table: ['GetItem'], updates: ['KEYSET#'], tokens: 'sign', jobs: true, baseUrl: true },
});

const fromProvider = z.string().min(1).max(2_048);

export const finishSignIn = defineContract('auth/finishSignIn', 'POST /v1/auth/sign-in/finish', {
  summary: 'Finish a sign-in with what the provider sent the browser back with: a session by a cookie',
  access: 'public',
  forBrowsers: true,
  body: z.strictObject({ code: fromProvider, state: fromProvider, iss: fromProvider.optional() }),
  example: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj' },
  responses: { 201: dataOf(z.object({ expires_at: timestampSchema })) },
  errors: ['SIGN_IN_FAILED', 'NOT_ADMITTED', 'REAUTHENTICATION_REQUIRED', 'OIDC_ISSUER_UNAVAILABLE'],
  rights: {
    table: ['GetItem', 'Query'],
    updates: ['KEYSET#', 'ORG#'],
    vault: 'decryptSignIn',
    tokens: 'sign',
    jobs: true,
    baseUrl: true,
  },
});

export const createCliCode = defineContract('auth/createCliCode', 'POST /v1/auth/cli', {
  summary: "A code for the signed-in person's command line, for a minute and once",
  scope: 'result',
  /** What a token does is never asked for again. */
  reauthentication: 'always',
  forBrowsers: true,
  body: z.strictObject({
    /** S256 of the verifier that the command line keeps (RFC 7636). */
    challenge: z.string().regex(/^[\w-]{43}$/, 'must be the base64url of a SHA-256'),
    /** Left out: what the session may do. */
    scope: z.enum(SCOPES).optional(),
  }),
  example: { challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
  responses: { 201: dataOf(z.object({ code: z.string() })) },
  errors: ['SCOPE_REQUIRED'],
  rights: { table: [], tokens: 'sign' },
});

export const signInContracts = [
  putSignIn,
  getSignIn,
  deleteSignIn,
  endPersonSessions,
  beginSignIn,
  finishSignIn,
  createCliCode,
];
