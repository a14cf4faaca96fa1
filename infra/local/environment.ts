/** Sets the variables that a deployment would set, before the functions are loaded. */
export function provideFunctionEnvironment(options: {
  tableName: string;
  endpoint: string;
  embedded: boolean;
}): void {
  process.env.TABLE_NAME = options.tableName;
  process.env.DYNAMODB_ENDPOINT = options.endpoint;
  // A busy laptop may be slower than a table on AWS, and should still count every request.
  process.env.RATE_LIMIT_WAIT_MS ||= '3000';
  if (options.embedded) {
    // A profile of a real account would take precedence over the values below.
    delete process.env.AWS_PROFILE;
    delete process.env.AWS_SESSION_TOKEN;
    Object.assign(process.env, LOCAL_AWS);
    return;
  }
  for (const [name, value] of Object.entries(LOCAL_AWS)) process.env[name] ??= value;
}

export function provideVaultEnvironment(
  vault: { readonly endpoint: string; readonly keyId: string } | { readonly keyFile: string },
): void {
  for (const name of ['KMS_ENDPOINT', 'KMS_KEY_ID', 'VAULT_KEY_FILE']) delete process.env[name];
  if ('keyFile' in vault) process.env.VAULT_KEY_FILE = vault.keyFile;
  else Object.assign(process.env, { KMS_ENDPOINT: vault.endpoint, KMS_KEY_ID: vault.keyId });
}

export function providePaymentEnvironment(values: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('STRIPE_')) delete process.env[name];
  Object.assign(process.env, values);
}

export function provideQueueEnvironment({
  endpoint,
  queueUrl,
}: {
  endpoint: string;
  queueUrl: string;
}): void {
  Object.assign(process.env, { SQS_ENDPOINT: endpoint, QUEUE_URL: queueUrl });
}

/** Sets the public address unless the user set it. It is known once the service listens, and functions read it late. */
export function provideBaseUrl(baseUrl: string): void {
  process.env.BASE_URL ||= baseUrl;
}

/** The engine accepts any credentials, and the AWS SDK requires some. */
const LOCAL_AWS = {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};
