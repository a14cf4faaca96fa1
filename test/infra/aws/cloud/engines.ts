import { rmSync } from 'node:fs';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { openDataFolder } from '../../../../infra/local/data/dataFolder.ts';
import { startEngine } from '../../../../infra/local/engine/engine.ts';
import { findEngine } from '../../../../infra/local/engine/engineCommand.ts';
import { startQueueEngine } from '../../../../infra/local/queue/engine.ts';
import { createTable } from '../../../../shared/storage/table/dynamoTable.ts';
import { ensureTable } from '../../../../shared/storage/table/ensureTable.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { startKms } from '../../../support/kms.ts';
import { provideLocalCredentials } from '../../../support/queues.ts';
import { temporaryFolder } from '../../../support/service.ts';
import type { Deployed } from './deployed.ts';

/** The engines behind the AWS front. They accept any credentials. */
export interface Engines {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly kms: string;
}

export interface RunningEngines extends Engines {
  /** The deployed table, without a check of rights. */
  readonly table: Table;
  stop(): Promise<void>;
}

/** The table, the queues and the keys of a deployment, by their deployed names, on the embedded engines. */
export async function makeEngines(deployed: Deployed): Promise<RunningEngines> {
  provideLocalCredentials();
  const [tables, queues, kms] = await Promise.all([
    startTables(deployed),
    startQueues(deployed),
    startKeys(deployed),
  ]);
  return {
    dynamodb: tables.endpoint,
    sqs: queues.endpoint,
    kms: kms.endpoint,
    table: createTable({ name: deployed.table.name, endpoint: tables.endpoint, now: Date.now }),
    async stop() {
      await Promise.all([tables.stop(), queues.stop(), kms.stop()]);
    },
  };
}

async function startTables({ table }: Deployed) {
  const folder = openDataFolder(temporaryFolder());
  const engine = await startEngine(folder, findEngine(undefined));
  const { endpoint } = engine;
  await ensureTable({ endpoint, tableName: table.name });
  return {
    endpoint,
    async stop() {
      await engine.stop();
      rmSync(folder.path, { recursive: true, force: true });
    },
  };
}

async function startQueues({ region, queues }: Deployed) {
  const engine = await startQueueEngine();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new SQSClient({ endpoint: engine.endpoint, region, credentials });
  // Dead-letter queues first: the others name them.
  for (const { name, visibilityTimeoutSeconds, redrive } of queues.toSorted(byRedrive)) {
    const RedrivePolicy = redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: redrive.deadLettersArn,
        maxReceiveCount: redrive.maxReceiveCount,
      }),
    };
    const Attributes = { VisibilityTimeout: String(visibilityTimeoutSeconds), ...RedrivePolicy };
    await client.send(new CreateQueueCommand({ QueueName: name, Attributes }));
  }
  client.destroy();
  return engine;
}

const byRedrive = (one: Deployed['queues'][number], other: Deployed['queues'][number]): number =>
  Number(one.redrive !== undefined) - Number(other.redrive !== undefined);

async function startKeys({ keys }: Deployed) {
  const kms = await startKms(
    ...keys.filter(({ spec }) => spec === 'SYMMETRIC_DEFAULT').map(({ arn }) => arn),
  );
  for (const { arn, spec } of keys) if (spec !== 'SYMMETRIC_DEFAULT') kms.addKeyPair(arn, spec);
  return kms;
}
