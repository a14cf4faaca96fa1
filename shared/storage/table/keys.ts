// biome-ignore-all lint/style/noExcessiveLinesPerFile: every key stands in this one file
import { createHash } from 'node:crypto';
import type { Person } from '../../domain/accounts/ports.ts';

/** Every key of the table; docs/items.md lists them. pk begins with the organisation of the credential. */
export const PK = 'pk';
export const SK = 'sk';
/** Time to live, in seconds since 1970. */
export const TTL = 'expires_at';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export const lastNumberOf = (item: Readonly<Record<string, unknown>>): number =>
  Number(String(item[SK]).split('#').at(-1));

/** A fixed width, so that the order of the text is the order of the numbers. */
const padded = (value: number, width: number): string => String(value).padStart(width, '0');

const org = (orgId: string): string => `ORG#${orgId}`;
const project = (orgId: string, projectId: string): string => `${org(orgId)}#PROJECT#${projectId}`;
const suite = (orgId: string, suiteId: string): string => `${org(orgId)}#SUITE#${suiteId}`;

export const apiKeyKey = (sha256: string): Key => ({ pk: `APIKEY#${sha256}`, sk: 'APIKEY' });
export const apiKeyPointerKey = (orgId: string, keyId: string): Key => ({
  pk: org(orgId),
  sk: `APIKEY#${keyId}`,
});
export const apiKeyPointers = (orgId: string) => ({ pk: org(orgId), prefix: 'APIKEY#' });
export const trustedIssuerKey = (orgId: string, id: string): Key => ({
  pk: org(orgId),
  sk: `TRUSTEDISSUER#${id}`,
});
export const spentTokenKey = (sha256: string): Key => ({ pk: `SPENTTOKEN#${sha256}`, sk: 'SPENTTOKEN' });
export const keySetKey = (issuer: string): Key => ({ pk: `KEYSET#${issuer}`, sk: 'KEYSET' });
export const trustedIssuers = (orgId: string) => ({ pk: org(orgId), prefix: 'TRUSTEDISSUER#' });
/** Exists while sessions of the person that have ended would still be in their time. */
export const endedSessionsKey = (orgId: string, { issuer, subject }: Person): Key => ({
  pk: org(orgId),
  sk: `ENDEDSESSIONS#${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')}`,
});
export const signInKey = (orgId: string): Key => ({ pk: org(orgId), sk: 'SIGNIN' });
export const organisationKey = (orgId: string): Key => ({ pk: org(orgId), sk: 'ORG' });
export const billingKey = (orgId: string): Key => ({ pk: org(orgId), sk: 'BILLING' });
export const customerKey = (customerId: string): Key => ({ pk: `CUSTOMER#${customerId}`, sk: 'CUSTOMER' });

export const SUBSCRIBER_SHARDS = 8;
export const subscriberShard = (shard: number) => ({ pk: `SUBSCRIBER#${shard}` });
export const subscriberKey = (orgId: string): Key => ({
  pk: `SUBSCRIBER#${orgId.charCodeAt(orgId.length - 1) % SUBSCRIBER_SHARDS}`,
  sk: orgId,
});

/** Of a counter that many may write at once. Undefined: its first item, which is enough unless writers meet. */
export type Shard = number | undefined;
export const COUNTER_SHARDS = 16;
const ofShard = (sk: string, shard: Shard): string =>
  shard === undefined ? sk : `${sk}#${padded(shard, 2)}`;

/** Runs that a version of the organisation's plan let in; where the plan blocks none, those of one project. */
export const usageKey = (
  orgId: string,
  month: string,
  planVersion: number,
  projectId?: string,
  shard?: Shard,
): Key => ({
  pk: org(orgId),
  sk: ofShard(
    `USAGE#${month}#${padded(planVersion, 6)}${projectId === undefined ? '' : `#${projectId}`}`,
    shard,
  ),
});
/** The earlier versions first. */
export const usageOfMonth = (orgId: string, month: string) => ({ pk: org(orgId), prefix: `USAGE#${month}#` });
export const planVersionOfUsage = (item: Readonly<Record<string, unknown>>): number =>
  Number(String(item[SK]).split('#')[2]);
export const overageKey = (orgId: string, month: string): Key => ({
  pk: org(orgId),
  sk: `OVERAGE#${month}`,
});

export const projectHeadKey = (orgId: string, slug: string): Key => ({
  pk: org(orgId),
  sk: `PROJECT#${slug}`,
});
export const projectKey = (orgId: string, id: string): Key => ({ pk: project(orgId, id), sk: 'PROJECT' });

export const suiteHeadKey = (orgId: string, slug: string, projectId: string): Key => ({
  pk: org(orgId),
  sk: `SUITE#${slug}#${projectId}`,
});
export const suiteHeadsOfSlug = (orgId: string, slug: string) => ({
  pk: org(orgId),
  prefix: `SUITE#${slug}#`,
});
/** `from`: the first place. */
export const suiteHeadsFrom = (orgId: string, from = 'SUITE#') => ({
  pk: org(orgId),
  between: [from, 'SUITE$'] as const,
});

/** Of a suite or a project, by the first 12 digits of its id, which its cases' or scorers' ids begin with. */
export const placeKey = (orgId: string, digits: string): Key => ({ pk: org(orgId), sk: `PLACE#${digits}` });
export const placesOf = (orgId: string) => ({ pk: org(orgId), prefix: 'PLACE#' });

/** Of a suite or a project: its partition, and the key of its head. */
export interface ChainKeys {
  readonly partition: string;
  readonly head: Key;
}
export const suiteChain = (
  orgId: string,
  suiteIds: { id: string; slug: string; projectId: string },
): ChainKeys => ({
  partition: suite(orgId, suiteIds.id),
  head: suiteHeadKey(orgId, suiteIds.slug, suiteIds.projectId),
});
export const projectChain = (orgId: string, projectIds: { id: string; slug: string }): ChainKeys => ({
  partition: project(orgId, projectIds.id),
  head: projectHeadKey(orgId, projectIds.slug),
});
export const revisionKey = (partition: string, n: number, token: string): Key => ({
  pk: partition,
  sk: `REVISION#${padded(n, 8)}#${token}`,
});
export const revisionsFrom = (partition: string, n: number) => ({
  pk: partition,
  between: [`REVISION#${padded(n, 8)}`, 'REVISION$'] as const,
});
/** Both numbers included. */
export const revisionsBetween = (partition: string, { from, to }: { from: number; to: number }) => ({
  pk: partition,
  between: [`REVISION#${padded(from, 8)}`, `REVISION#${padded(to + 1, 8)}`] as const,
});
/** Items of edits by their tokens. */
export const blocksBetween = (
  partition: string,
  kind: 'ROWS' | 'TEXTS' | 'BASELINE' | 'BASELINECASES',
  { from, to }: { readonly from: string; readonly to: string },
) => ({ pk: partition, between: [`${kind}#${from}`, `${kind}#${to}`] as const });
export const blockNameOf = (sk: string): string => sk.split('#')[1] ?? '';
export const rowsKey = (partition: string, name: string): Key => ({ pk: partition, sk: `ROWS#${name}` });
export const textsKey = (partition: string, name: string, part: number): Key => ({
  pk: partition,
  sk: `TEXTS#${name}#${padded(part, 3)}`,
});

/** Of a suite's judges: the check that is pending or was made last. */
export const checkKey = (partition: string): Key => ({ pk: partition, sk: 'CHECK' });
/** What came out wrong in it. */
export const wrongAnswersKey = (partition: string): Key => ({ pk: partition, sk: 'CHECKWRONG' });
/** What is computed of a suite at a pair. `name`: of the pair and of the judges. */
export const knownDigestKey = (partition: string, name: string): Key => ({
  pk: partition,
  sk: `BAR#${name}`,
});
/** Of a bar that a run was judged by. `digest`: 64 hexadecimal digits. */
export const digestKey = (partition: string, digest: string): Key => ({
  pk: partition,
  sk: `DIGEST#${digest}`,
});
export const digestsOf = (partition: string) => ({ pk: partition, prefix: 'DIGEST#' });
export const digestIn = (sk: string): string => sk.slice('DIGEST#'.length);
/** Accepted runs. `name`: the token of the edit that put them in force. */
export const baselineKey = (partition: string, name: string): Key => ({
  pk: partition,
  sk: `BASELINE#${name}`,
});
export const baselinesOf = (partition: string) => ({ pk: partition, prefix: 'BASELINE#' });
export const baselineCasesKey = (partition: string, name: string, part: number): Key => ({
  pk: partition,
  sk: `BASELINECASES#${name}#${padded(part, 3)}`,
});
export const casesOfBaseline = (partition: string, name: string) => ({
  pk: partition,
  prefix: `BASELINECASES#${name}#`,
});
/** Of runs with these digests, by the number of the run that was waived. */
export const waiverKey = (partition: string, digests: RunDigests, number: number): Key => ({
  pk: partition,
  sk: `${waivers(digests)}${padded(number, 10)}`,
});
export const waiversOf = (partition: string, digests: RunDigests) => ({
  pk: partition,
  prefix: waivers(digests),
});
interface RunDigests {
  readonly suite: string;
  readonly outputs: string;
}
const waivers = ({ suite: bar, outputs }: RunDigests): string => `WAIVER#${bar}#${outputs}#`;
/** Runs of a commit of one source: the hash is of both. */
export const commitKey = (partition: string, sha256: string): Key => ({
  pk: partition,
  sk: `COMMIT#${sha256}`,
});
export const textsOfChain = (partition: string) => ({
  pk: partition,
  between: ['TEXTS#', 'TEXTS$'] as const,
});

export const byokKeyKey = (orgId: string, id: string): Key => ({ pk: org(orgId), sk: `BYOKKEY#${id}` });
const ofProject = (projectId: string | null): string => (projectId === null ? '' : `#${projectId}`);
/** `provider` by its canonical name. `projectId`: null for the organisation's own. */
export const byokDefaultKey = (orgId: string, projectId: string | null, provider: string): Key => ({
  pk: org(orgId),
  sk: `BYOKDEFAULT#${provider}${ofProject(projectId)}`,
});
export const byokDefaults = (orgId: string) => ({ pk: org(orgId), prefix: 'BYOKDEFAULT#' });

export const runKey = (orgId: string, suiteId: string, number: number): Key => ({
  pk: suite(orgId, suiteId),
  sk: `RUN#${padded(number, 10)}`,
});
export const dayRollupKey = (orgId: string, suiteId: string, day: string, shard?: Shard): Key => ({
  pk: suite(orgId, suiteId),
  sk: ofShard(`DAY#${day}`, shard),
});
/** Both days included, with their shards. */
export const dayRollups = (orgId: string, suiteId: string, from: string, to: string) => ({
  pk: suite(orgId, suiteId),
  between: [`DAY#${from}`, `DAY#${to}~`] as const,
});
export const resultsKey = (
  orgId: string,
  suiteId: string,
  runToken: string,
  { chunk, part }: { readonly chunk: number; readonly part: number },
): Key => ({
  pk: suite(orgId, suiteId),
  sk: `RESULTS#${runToken}#${padded(chunk, 5)}#${padded(part, 5)}`,
});
export const resultsOfRun = (orgId: string, suiteId: string, runToken: string) => ({
  pk: suite(orgId, suiteId),
  prefix: `RESULTS#${runToken}#`,
});
/** Named by the run's token; they expire after the run must have ended. */
const workingItems =
  (kind: 'PAYLOAD' | 'OUTPUTS' | 'CHUNK' | 'JUDGED') =>
  (orgId: string, suiteId: string, name: string, ...numbers: number[]): Key => ({
    pk: suite(orgId, suiteId),
    sk: [kind, name, ...numbers.map((number) => padded(number, 5))].join('#'),
  });
export const payloadKey = workingItems('PAYLOAD');
export const outputsKey = workingItems('OUTPUTS');
export const chunkKey = workingItems('CHUNK');
export const judgedKey = workingItems('JUDGED');
export const below = ({ pk, sk }: Key) => ({ pk, prefix: `${sk}#` });

export const verdictKey = (orgId: string, suiteId: string, digest: string): Key => ({
  pk: suite(orgId, suiteId),
  sk: `VERDICT#${digest}`,
});
export const verdictsOfSuite = (orgId: string, suiteId: string) => ({
  pk: suite(orgId, suiteId),
  prefix: 'VERDICT#',
});

/** `leased`: a provider, or the seats there. */
export const slotKey = (orgId: string, leased: string, slot: number): Key => ({
  pk: org(orgId),
  sk: `SLOT#${leased}#${padded(slot, 2)}`,
});
export const slotsOfAll = (orgId: string) => ({ pk: org(orgId), prefix: 'SLOT#' });
export const slotsOf = (orgId: string, leased: string) => ({ pk: org(orgId), prefix: `SLOT#${leased}#` });

/** The oldest run first. */
export const waitingChunkKey = (
  orgId: string,
  provider: string,
  { created_at, id }: { readonly created_at: string; readonly id: string },
  chunk: number,
): Key => ({
  pk: org(orgId),
  sk: `WAITING#${provider}#${created_at}#${id}#${padded(chunk, 5)}`,
});
export const waitingChunks = (orgId: string, provider: string) => ({
  pk: org(orgId),
  prefix: `WAITING#${provider}#`,
});
export const waitingChunksOfAll = (orgId: string) => ({ pk: org(orgId), prefix: 'WAITING#' });

export const openCasesKey = (orgId: string): Key => ({ pk: org(orgId), sk: 'OPENCASES' });

export const idempotencyKey = (orgId: string, sha256: string): Key => ({
  pk: org(orgId),
  sk: `IDEMPOTENCY#${sha256}`,
});
export const keyTestKey = (orgId: string, testId: string): Key => ({
  pk: org(orgId),
  sk: `KEYTEST#${testId}`,
});

export const rateLimitKey = (rateClass: string, address: string): Key => ({
  pk: `RATE#${rateClass}#${address}`,
  sk: 'RATE',
});

/** Several shards, so that no partition takes the writes of all organisations. */
export const PENDING_SHARDS = 8;
export const pendingShard = (shard: number) => ({ pk: `PENDING#${shard}` });
export const pendingKey = (createdAt: string, runId: string): Key => ({
  pk: `PENDING#${runId.charCodeAt(runId.length - 1) % PENDING_SHARDS}`,
  sk: `${createdAt}#${runId}`,
});

export const positionKey = (walk: string): Key => ({ pk: `POSITION#${walk}`, sk: 'POSITION' });

/** Plans change rarely: one partition is enough. */
export const retentionDueKey = (orgId: string): Key => ({ pk: 'RETENTIONDUE', sk: orgId });
export const retentionsDue = { pk: 'RETENTIONDUE' };

/** Deletions are rare: one partition is enough. */
export const purgeKey = (orgId: string, kind: string, id: string): Key => ({
  pk: 'PURGEDUE',
  sk: `${orgId}#${kind}#${id}`,
});
export const purgesDue = { pk: 'PURGEDUE' };
export const purgesOf = (orgId: string) => ({ pk: 'PURGEDUE', prefix: `${orgId}#` });
/** Of an organisation, as long as their runs may exist. `from`: the first place. */
export const deletedSuitesFrom = (orgId: string, from = `${orgId}#suite#`) => ({
  pk: 'PURGEDUE',
  between: [from, `${orgId}#suite$`] as const,
});
/** Of changes of a project, or without one of the organisation: the earlier first. */
export const logKey = (orgId: string, projectId: string | null, token: string): Key => ({
  pk: projectId === null ? org(orgId) : project(orgId, projectId),
  sk: `LOG#${token}`,
});
export const logOf = (orgId: string, projectId: string | null) => ({
  pk: projectId === null ? org(orgId) : project(orgId, projectId),
  prefix: 'LOG#',
});
/** All items of the organisation itself, all of a suite, and all of a project that are not its suites' or scorers' own. */
export const organisationPartition = org;
export const suitePartition = suite;
export const projectPartition = project;

export const projectList = (orgId: string): Key => ({ pk: org(orgId), sk: 'LIST#PROJECTS' });
export const suiteList = (orgId: string, projectId: string): Key => ({
  pk: project(orgId, projectId),
  sk: 'LIST#SUITES',
});
export const byokKeyList = (orgId: string, projectId: string | null): Key => ({
  pk: org(orgId),
  sk: `LIST#BYOKKEYS${ofProject(projectId)}`,
});
