import * as z from 'zod';

const configSchema = z
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
    SIGN_UP: z.enum(['open', 'closed']).default('open'),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  })
  .transform((env) => ({
    tableName: env.TABLE_NAME,
    dynamodbEndpoint: env.DYNAMODB_ENDPOINT,
    signUp: env.SIGN_UP,
    logLevel: env.LOG_LEVEL,
    vault: vaultOf(env),
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

/** Only few functions have a vault. */
function vaultOf({ KMS_KEY_ID, KMS_ENDPOINT, VAULT_KEY_FILE }: VaultVariables): VaultConfig | undefined {
  if (KMS_KEY_ID !== undefined) return { kind: 'kms', keyId: KMS_KEY_ID, endpoint: KMS_ENDPOINT };
  return VAULT_KEY_FILE === undefined ? undefined : { kind: 'local', keyFile: VAULT_KEY_FILE };
}

export type Config = z.output<typeof configSchema>;

/** Fails the cold start with the names of the variables that are missing or wrong. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = configSchema.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new Error(`Environment variables are missing or wrong:\n${z.prettifyError(parsed.error)}`);
}
