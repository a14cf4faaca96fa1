import * as z from 'zod';

export const listSchema = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )
  .pipe(z.array(z.string()).min(1));

export const configSchema = z
  .object({
    TABLE_NAME: z.string().min(1),
    /** Set on a laptop: any engine that speaks DynamoDB's protocol. */
    DYNAMODB_ENDPOINT: z.url().optional(),
    /** What BYOK keys are encrypted under: a KMS key, or on a laptop the file of a master key. */
    KMS_KEY_ID: z.string().min(1).optional(),
    KMS_ENDPOINT: z.url().optional(),
    VAULT_KEY_FILE: z.string().min(1).optional(),
    /** Where runs wait for the evaluator; only functions that send need it. */
    QUEUE_URL: z.url().optional(),
    SQS_ENDPOINT: z.url().optional(),
    /** What tokens are signed under, the first one by; all verify: RSA keys of KMS, or on a laptop PEM files. */
    TOKEN_KMS_KEY_IDS: listSchema.optional(),
    TOKEN_KEY_FILES: listSchema.optional(),
    TOKEN_ISSUER: z.string().min(1).default('urn:evalgate:local'),
    /** Behind an edge: what it proves itself by, several while one takes the place of another. */
    ORIGIN_SECRETS: listSchema.pipe(z.array(z.string().min(32))).optional(),
    SIGN_UP: z.enum(['open', 'closed']).default('open'),
    /** Off where something in front of the service limits, or all requests come from one address. */
    RATE_LIMITS: z.enum(['on', 'off']).default('on'),
    /** A request that could not be counted by then passes. */
    RATE_LIMIT_WAIT_MS: z.coerce.number().int().min(1).max(10_000).default(500),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
    /** What log lines that are metrics too count under: deployments in one account have each their own. */
    METRICS_NAMESPACE: z.string().min(1).max(255).default('evalgate'),
  })
  .transform((env) => ({
    tableName: env.TABLE_NAME,
    dynamodbEndpoint: env.DYNAMODB_ENDPOINT,
    signUp: env.SIGN_UP,
    rateLimits: env.RATE_LIMITS,
    rateLimitWaitMs: env.RATE_LIMIT_WAIT_MS,
    logLevel: env.LOG_LEVEL,
    metricsNamespace: env.METRICS_NAMESPACE,
    vault: vaultOf(env),
    tokenKeys: signingKeysOf(env.TOKEN_KMS_KEY_IDS, env.TOKEN_KEY_FILES, env.KMS_ENDPOINT),
    tokenIssuer: env.TOKEN_ISSUER,
    originSecrets: env.ORIGIN_SECRETS,
    queue: env.QUEUE_URL === undefined ? undefined : { url: env.QUEUE_URL, endpoint: env.SQS_ENDPOINT },
  }));

export type VaultConfig =
  | { readonly kind: 'kms'; readonly keyId: string; readonly endpoint: string | undefined }
  | { readonly kind: 'local'; readonly keyFile: string };

interface VaultVariables {
  readonly KMS_KEY_ID?: string | undefined;
  readonly KMS_ENDPOINT?: string | undefined;
  readonly VAULT_KEY_FILE?: string | undefined;
}

function vaultOf({ KMS_KEY_ID, KMS_ENDPOINT, VAULT_KEY_FILE }: VaultVariables): VaultConfig | undefined {
  if (KMS_KEY_ID !== undefined) return { kind: 'kms', keyId: KMS_KEY_ID, endpoint: KMS_ENDPOINT };
  return VAULT_KEY_FILE === undefined ? undefined : { kind: 'local', keyFile: VAULT_KEY_FILE };
}

/** Of keys of KMS or in PEM files: the first one signs. */
export type SigningKeysConfig =
  | { readonly kind: 'kms'; readonly keyIds: readonly string[]; readonly endpoint: string | undefined }
  | { readonly kind: 'local'; readonly files: readonly string[] };

export function signingKeysOf(
  keyIds: readonly string[] | undefined,
  files: readonly string[] | undefined,
  endpoint: string | undefined,
): SigningKeysConfig | undefined {
  if (keyIds !== undefined) return { kind: 'kms', keyIds, endpoint };
  return files === undefined ? undefined : { kind: 'local', files };
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface Config extends z.output<typeof configSchema> {
  /** All of them, for what few functions need. */
  readonly variables: Environment;
}

export const readConfig = (env: Environment): Config => ({
  ...readVariables(configSchema, env),
  variables: { ...env },
});

/** Fails the cold start and names the variables that are missing or wrong. A blank one counts as not set. */
export function readVariables<Schema extends z.ZodType>(schema: Schema, env: Environment): z.output<Schema> {
  const given = Object.entries(env).filter(([, value]) => value !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  throw new Error(`Environment variables are missing or wrong:\n${z.prettifyError(parsed.error)}`);
}
