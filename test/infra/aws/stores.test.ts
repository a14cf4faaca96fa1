import { describe, expect, test } from '@jest/globals';
import { type Environment, environments } from '../../../infra/aws/environments.ts';
import { PK, SK, TTL } from '../../../shared/storage/table/keys.ts';
import { ENVIRONMENT_NAMES, type Resource, type Synthesized, synthesized } from './synthesized.ts';

const named = ({ stack, logicalId }: Resource): string => `${stack}/${logicalId}`;
const refOf = (value: unknown): string => JSON.stringify(value);

describe.each(ENVIRONMENT_NAMES)('%s', (name) => {
  const deployed = (): Synthesized => synthesized(name);
  const functions = () => deployed().functions;
  const environment: Environment = environments[name];

  test('the table is on demand, has point-in-time recovery, expires items, and is protected against deletion', () => {
    const [table, ...others] = deployed().ofType('AWS::DynamoDB::Table');
    expect(others).toEqual([]);
    expect(table?.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: PK, KeyType: 'HASH' },
        { AttributeName: SK, KeyType: 'RANGE' },
      ],
      TimeToLiveSpecification: { AttributeName: TTL, Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: name !== 'dev',
    });
  });

  test('stateful resources outlive their stack except in dev', () => {
    const policy = name === 'dev' ? 'Delete' : 'Retain';
    const types =
      /^AWS::(DynamoDB::Table|SQS::Queue|KMS::Key|SecretsManager::Secret|Logs::LogGroup|S3::Bucket)$/;
    const holders = deployed().resources.filter(({ Type }) => types.test(Type));
    expect(holders).toHaveLength(16);
    for (const holder of holders) {
      expect([named(holder), holder.DeletionPolicy, holder.UpdateReplacePolicy]).toEqual([
        named(holder),
        policy,
        policy,
      ]);
    }
    for (const { isProtected } of deployed().stacks.values()) expect(isProtected).toBe(name !== 'dev');
  });

  test('keys turn over, and tokens and statements are signed by keys that never leave KMS', () => {
    const [signers, vaults] = [true, false].map((isSigning) =>
      deployed()
        .ofType('AWS::KMS::Key')
        .filter(({ Properties }) => (Properties.KeyUsage === 'SIGN_VERIFY') === isSigning),
    );
    expect(vaults?.map(({ Properties }) => Properties.EnableKeyRotation)).toEqual([true]);
    const ofBoth = ['RSA_2048', 'RSA_2048', 'ECC_NIST_P256', 'ECC_NIST_P256'];
    expect(signers?.map(({ Properties }) => Properties.KeySpec)).toEqual(ofBoth);
  });

  test('a message outlasts its handling six times over, then goes to the dead letters, which are consumed', () => {
    const { ofType } = deployed();
    const queues = ofType('AWS::SQS::Queue');
    const lambdas = new Map(functions().map((lambda) => [lambda.logicalId, lambda.Properties]));
    expect(queues).toHaveLength(2);
    for (const { Properties, logicalId } of queues) {
      expect(Properties.SqsManagedSseEnabled).toBe(true);
      const source = ofType('AWS::Lambda::EventSourceMapping').find(({ Properties: mapping }) =>
        refOf(mapping.EventSourceArn).includes(logicalId),
      );
      const lambda = lambdas.get(source?.Properties.FunctionName.Ref);
      expect(Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * lambda?.Timeout);
      expect(source?.Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(source?.Properties.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
    }
    const [runs] = queues.filter(({ Properties }) => Properties.RedrivePolicy !== undefined);
    const [dead] = queues.filter((queue) => queue !== runs);
    expect(refOf(runs?.Properties.RedrivePolicy.deadLetterTargetArn)).toContain(dead?.logicalId);
    expect(runs?.Properties.RedrivePolicy.maxReceiveCount).toBe(5);
    expect(dead?.Properties.MessageRetentionPeriod).toBeGreaterThan(runs?.Properties.MessageRetentionPeriod);
  });

  test('sweepers run every minute, the purge every hour, the report of overage every hour where there are payments, shards by themselves', () => {
    const rules = deployed()
      .ofType('AWS::Events::Rule')
      .map(({ logicalId, Properties }) => [
        logicalId.replace(/Rule.*$/, ''),
        Properties.ScheduleExpression,
        Properties.State,
        Properties.Targets[0].Input,
      ]);
    const eachShard = (rule: string[]) =>
      Array.from({ length: 8 }, (_, shard) => [...rule, `{"detail":{"shard":${shard}}}`]);
    expect(rules.sort()).toEqual([
      ...eachShard(['BillingReportOverage', 'rate(1 hour)', environment.payments ? 'ENABLED' : 'DISABLED']),
      ['EvaluatorPurge', 'rate(1 hour)', 'ENABLED', undefined],
      ['EvaluatorResumeRetention', 'rate(1 minute)', 'ENABLED', undefined],
      ...eachShard(['EvaluatorSweep', 'rate(1 minute)', 'ENABLED']),
    ]);
  });

  test('only the evaluator may send to the queue that invokes it, as often as it has to', () => {
    const repeating = functions().filter(({ Properties }) => Properties.RecursiveLoop === 'Allow');
    expect(repeating.map(({ Properties }) => Properties.Description)).toEqual([
      'functions/evaluator/evaluate.ts',
    ]);
  });
});
