import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import {
  EVALUATOR_TIMEOUT_SECONDS,
  RECEIVES_MAX,
  VISIBILITY_TIMEOUT_SECONDS,
} from '../../../shared/queue/settings.ts';
import type { Environment } from '../environments.ts';
import { exportAlways } from '../exportAlways.ts';

/** The consumer of the dead-letter queue reads and writes a few items a message. */
export const DEAD_LETTERS_TIMEOUT_SECONDS = 60;
/** AWS's advice: a message must not be delivered again while a function works on it. */
const VISIBILITY_FACTOR = 6;

/** The stateful resources: table, queues, keys and secrets. */
export class DataStack extends Stack {
  readonly table: Table;
  readonly runs: Queue;
  readonly deadLetters: Queue;
  readonly vaultKey: Key;
  /** Both verify and one signs, so that a rotation refuses no token. */
  readonly tokenKeys: readonly [Key, Key];
  /** One signs; both are published, as long as statements are to be verified. */
  readonly statementKeys: readonly [Key, Key];
  /** Functions accept both; the edge sends one. */
  readonly originSecrets: readonly [Secret, Secret];
  readonly stripeSecret: Secret;

  readonly #removalPolicy: RemovalPolicy;

  constructor(scope: Construct, id: string, environment: Environment, props: StackProps) {
    super(scope, id, props);
    const { keepsData, warmThroughput } = environment;
    this.#removalPolicy = keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expires_at',
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...(warmThroughput && { warmThroughput }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // Our own KMS key would cost calls to KMS for reads and protect against nothing that IAM does not.
      encryption: TableEncryption.DEFAULT,
      deletionProtection: keepsData,
      removalPolicy: this.#removalPolicy,
    });
    this.deadLetters = this.#queue('DeadLetters', DEAD_LETTERS_TIMEOUT_SECONDS * VISIBILITY_FACTOR);
    this.runs = this.#queue('Runs', VISIBILITY_TIMEOUT_SECONDS, this.deadLetters);
    if (VISIBILITY_TIMEOUT_SECONDS < EVALUATOR_TIMEOUT_SECONDS * VISIBILITY_FACTOR) {
      throw new Error('A message would come back while it is being evaluated: raise its visibility timeout.');
    }
    this.vaultKey = new Key(this, 'VaultKey', {
      description: 'Encrypts BYOK keys: without it they are lost',
      enableKeyRotation: true,
      removalPolicy: this.#removalPolicy,
    });
    this.tokenKeys = [this.#tokenKey('first'), this.#tokenKey('second')];
    this.statementKeys = [this.#statementKey('first'), this.#statementKey('second')];
    this.originSecrets = [this.#originSecret('first'), this.#originSecret('second')];
    this.stripeSecret = this.#stripeSecret();
    exportAlways(this, this.#offered());
  }

  #offered(): readonly string[] {
    const queues = [this.runs, this.deadLetters];
    const keys = [this.vaultKey, ...this.tokenKeys, ...this.statementKeys];
    const secrets = [...this.originSecrets, this.stripeSecret];
    return [
      this.table.tableName,
      this.table.tableArn,
      ...queues.flatMap(({ queueUrl, queueArn, queueName }) => [queueUrl, queueArn, queueName]),
      ...keys.map(({ keyArn }) => keyArn),
      ...secrets.map(({ secretArn }) => secretArn),
    ];
  }

  #queue(id: string, visibilityTimeoutSeconds: number, deadLetters?: Queue): Queue {
    return new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
      // A dead letter's age counts from its first sending, so its queue needs the longest retention.
      retentionPeriod: Duration.days(deadLetters === undefined ? 14 : 4),
      ...(deadLetters && { deadLetterQueue: { queue: deadLetters, maxReceiveCount: RECEIVES_MAX } }),
      removalPolicy: this.#removalPolicy,
    });
  }

  #tokenKey(half: string): Key {
    return new Key(this, half === 'first' ? 'FirstTokenKey' : 'SecondTokenKey', {
      description: `Signs tokens (${half} of two)`,
      keySpec: KeySpec.RSA_2048,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: this.#removalPolicy,
    });
  }

  #statementKey(half: string): Key {
    return new Key(this, half === 'first' ? 'FirstStatementKey' : 'SecondStatementKey', {
      description: `Signs statements (${half} of two)`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: this.#removalPolicy,
    });
  }

  #originSecret(half: string): Secret {
    const secret = new Secret(this, half === 'first' ? 'FirstOriginSecret' : 'SecondOriginSecret', {
      description: `What the edge proves itself by (${half} of two)`,
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      removalPolicy: this.#removalPolicy,
    });
    rotatedByHand(
      secret,
      'Both sides have to learn it: docs/deploy.md shows how to rotate it, the other of the two serving.',
    );
    return secret;
  }

  /** Empty until the operator fills it with the variables of the same names. */
  #stripeSecret(): Secret {
    const empty = { STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRETS: '' };
    const secret = new Secret(this, 'StripeSecret', {
      description: 'The secrets of the payment provider: filled by hand',
      generateSecretString: { secretStringTemplate: JSON.stringify(empty), generateStringKey: 'unused' },
      removalPolicy: this.#removalPolicy,
    });
    rotatedByHand(secret, 'Only Stripe can issue a new one.');
    return secret;
  }
}

const rotatedByHand = (secret: Secret, reason: string): void =>
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
