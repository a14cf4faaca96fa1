import { functionIds } from '../../../../infra/aws/functions.ts';
import type { Assembly } from './assembly.ts';
import type { Deployed } from './deployed.ts';
import { CloudFormation } from './templates/cloudFormation.ts';
import { edgeOf } from './templates/edge.ts';
import { functionsOf } from './templates/functions.ts';
import { Made, read } from './templates/made.ts';
import { hasField, secretSchema } from './templates/secrets.ts';
import { keysOf, queuesOf, tableOf } from './templates/stores.ts';
import { Triggers } from './templates/triggers.ts';

/** The only one that the embedded SQS engine knows. */
const ACCOUNT = '000000000000';

export interface DeployOptions {
  /** What the operator fills into the fields of secrets by hand. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What queues' URLs begin with. */
  readonly queueBaseUrl: string;
}

/** Resolves the templates into a deployment. Throws on unknown forms, dangling references and missing permissions. */
export function deployedFrom(
  assembly: Pick<Assembly, 'region' | 'stacks'>,
  { secrets = {}, queueBaseUrl }: DeployOptions,
): Deployed {
  const target = { account: ACCOUNT, queueBaseUrl, secrets };
  const made = new Made(new CloudFormation(assembly.stacks, target).resources());
  checkSecrets(made, Object.keys(secrets));
  const functions = functionsOf(made);
  const missing = functionIds.filter((id) => !functions.has(id));
  if (missing.length > 0) throw new Error(`No template has the functions ${missing}`);
  const triggers = new Triggers(made, functions.values());
  return {
    region: assembly.region,
    account: ACCOUNT,
    functions,
    routes: triggers.routes(),
    table: tableOf(made),
    queues: queuesOf(made),
    keys: keysOf(made, ACCOUNT),
    eventSources: triggers.eventSources(),
    schedules: triggers.schedules(),
    edge: edgeOf(made),
  };
}

function checkSecrets(made: Made, names: readonly string[]): void {
  const known = made.ofType('AWS::SecretsManager::Secret').map((resource) => read(resource, secretSchema));
  for (const name of names) {
    if (!known.some((secret) => hasField(secret, name))) throw new Error(`No secret has a field ${name}`);
  }
}
