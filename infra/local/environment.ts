/** What the functions read when they are deployed, set before they are loaded. */
export function provideFunctionEnvironment(options: {
  tableName: string;
  endpoint: string;
  embedded: boolean;
}): void {
  process.env.TABLE_NAME = options.tableName;
  process.env.DYNAMODB_ENDPOINT = options.endpoint;
  // A laptop may be busy for longer than a table on AWS ever is, and should still count every request.
  process.env.RATE_LIMIT_WAIT_MS ||= '3000';
  if (options.embedded) {
    // Somebody's real account has no business here: a profile would win over the values below.
    delete process.env.AWS_PROFILE;
    delete process.env.AWS_SESSION_TOKEN;
    Object.assign(process.env, LOCAL_AWS);
    return;
  }
  for (const [name, value] of Object.entries(LOCAL_AWS)) process.env[name] ??= value;
}

/** Which vault the functions use, set before they are loaded. */
export function provideVaultEnvironment(
  vault: { readonly endpoint: string; readonly keyId: string } | { readonly keyFile: string },
): void {
  for (const name of ['KMS_ENDPOINT', 'KMS_KEY_ID', 'VAULT_KEY_FILE']) delete process.env[name];
  if ('keyFile' in vault) process.env.VAULT_KEY_FILE = vault.keyFile;
  else Object.assign(process.env, { KMS_ENDPOINT: vault.endpoint, KMS_KEY_ID: vault.keyId });
}

/** What tokens are signed by, set before the functions are loaded. */
export function provideTokenEnvironment({ keyFile }: { keyFile: string }): void {
  process.env.TOKEN_KEY_FILES = keyFile;
}

/** Which payment provider the functions use, set before they are loaded: this one, or without values none. */
export function providePaymentEnvironment(values: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('STRIPE_')) delete process.env[name];
  Object.assign(process.env, values);
}

/** Which queue the functions send to, set before they are loaded. */
export function provideQueueEnvironment({
  endpoint,
  queueUrl,
}: {
  endpoint: string;
  queueUrl: string;
}): void {
  Object.assign(process.env, { SQS_ENDPOINT: endpoint, QUEUE_URL: queueUrl });
}

/** Where clients reach the service, unless somebody said: known once it listens, read when it is first needed. */
export function provideBaseUrl(baseUrl: string): void {
  process.env.BASE_URL ||= baseUrl;
}

/** The engine takes any credentials, but the AWS SDK does not start without some. */
const LOCAL_AWS = {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};
