import * as z from 'zod';
import { uuidSchema } from '../contracts/base/common.ts';
import { tokenCredentialSchema } from '../contracts/base/credentials.ts';
import { SCOPES } from '../contracts/base/scopes.ts';
import type { SigningKeys } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/caches/lazily.ts';
import type { Ambient } from '../domain/ports.ts';
import { signed, signedReader } from './jws.ts';

const personSchema = z.object({ issuer: z.string(), subject: z.string() });

/** What we sign to have it brought back soon. No kind counts as another, nor as a token. */
const PASSES = {
  signIn: {
    typ: 'sign-in+jwt',
    audience: 'urn:evalgate:sign-in',
    seconds: 600,
    schema: z.object({
      orgId: uuidSchema,
      issuer: z.string(),
      clientId: z.string(),
      project: z.string().optional(),
      state: z.string(),
      nonce: z.string(),
      verifier: z.string(),
      freshSince: z.number().optional(),
      expects: personSchema.optional(),
    }),
  },
  cliCode: {
    typ: 'cli-code+jwt',
    audience: 'urn:evalgate:cli-code',
    seconds: 60,
    schema: z.object({
      orgId: uuidSchema,
      projectId: uuidSchema.nullable(),
      scope: z.enum(SCOPES),
      credential: tokenCredentialSchema,
      openedAtMs: z.number(),
      challenge: z.string(),
    }),
  },
} as const;
type PassKind = keyof typeof PASSES;
type Content<Kind extends PassKind> = z.output<(typeof PASSES)[Kind]['schema']>;

interface Pass<T> {
  readonly content: T;
  /** Of this one alone. */
  readonly id: string;
  readonly endsAtMs: number;
}

const headSchema = z.object({ aud: z.string(), pass: z.unknown(), jti: uuidSchema, exp: z.int() });

export const passSeconds = (kind: PassKind): number => PASSES[kind].seconds;

export function passes(
  loadKeys: () => Promise<SigningKeys>,
  { issuer, now, newId }: Ambient & { readonly issuer: string },
) {
  const signingKeys = lazily(loadKeys);
  return {
    async make<Kind extends PassKind>(kind: Kind, content: Content<Kind>): Promise<string> {
      const { typ, audience: aud, seconds } = PASSES[kind];
      const iat = Math.floor(now() / 1_000);
      return signed(await signingKeys(), typ, {
        iss: issuer,
        aud,
        iat,
        exp: iat + seconds,
        jti: newId(),
        pass: content,
      });
    },

    /** Undefined for anything else than one of this kind, in its time. */
    async read<Kind extends PassKind>(kind: Kind, text: string): Promise<Pass<Content<Kind>> | undefined> {
      const { schema, ...expected } = PASSES[kind];
      const head = headSchema.safeParse(
        await signedReader(await signingKeys(), { issuer, now })(text, expected),
      );
      const content = schema.safeParse(head.data?.pass);
      if (!head.success || !content.success) return undefined;
      const { jti, exp } = head.data;
      return { content: content.data as Content<Kind>, id: jti, endsAtMs: exp * 1_000 };
    },
  };
}
export type Passes = ReturnType<typeof passes>;
