import * as z from 'zod';

const configSchema = z
  .object({
    TABLE_NAME: z.string().min(1),
    /** Set on a laptop: any engine that speaks DynamoDB's protocol. */
    DYNAMODB_ENDPOINT: z.url().optional(),
    SIGN_UP: z.enum(['open', 'closed']).default('open'),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  })
  .transform((env) => ({
    tableName: env.TABLE_NAME,
    dynamodbEndpoint: env.DYNAMODB_ENDPOINT,
    signUp: env.SIGN_UP,
    logLevel: env.LOG_LEVEL,
  }));

export type Config = z.output<typeof configSchema>;

/** Fails the cold start with the names of the variables that are missing or wrong. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = configSchema.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new Error(`Environment variables are missing or wrong:\n${z.prettifyError(parsed.error)}`);
}
