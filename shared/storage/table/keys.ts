// biome-ignore-all lint/style/noExcessiveLinesPerFile: every key stands in this one file, with the table of all items
/**
 * Every key of the table. pk begins with the organisation of the credential, so that another organisation's
 * id names nothing. A head exists exactly as long as its resource lives: one read shows whether it exists, one delete ends it.
 *
 * | item                | pk                     | sk                            | read for                              |
 * |---------------------|------------------------|-------------------------------|---------------------------------------|
 * | API key             | APIKEY#<sha256>        | APIKEY                        | authentication                        |
 * | organisation        | ORG#<org>              | ORG                           | its plan; changed with all its keys   |
 * | API key of an org   | ORG#<org>              | APIKEY#<id>                   | an organisation's keys; sha256 of one |
 * | trusted repository  | ORG#<org>              | TRUSTEDREPOSITORY#<id>        | whose jobs get tokens without a key   |
 * | spent OIDC token    | SPENTTOKEN#<sha256>    | SPENTTOKEN                    | a job's token is exchanged once       |
 * | issuer's key set    | KEYSET#<url>           | KEYSET                        | one fetch of it serves all functions  |
 * | project head        | ORG#<org>              | PROJECT#<slug>                | project by slug; is it alive?         |
 * | suite head          | ORG#<org>              | SUITE#<slug>#<project id>     | suite by slug, in one project or all  |
 * | deleted suite       | ORG#<org>              | SUITEDELETED#<suite>          | suites whose runs are still there     |
 * | usage of a month    | ORG#<org>              | USAGE#<yyyy-mm>               | runs counted, overage reported        |
 * | shard of usage      | ORG#<org>              | USAGE#<yyyy-mm>#<shard>       | runs counted while many are stored at once |
 * | billing record      | ORG#<org>              | BILLING                       | customer, subscription                |
 * | case pointer        | ORG#<org>              | CASE#<case>                   | which suite a case is in              |
 * | list of projects    | ORG#<org>              | LIST#PROJECTS#<block>         | pages of projects                     |
 * | BYOK key            | ORG#<org>              | BYOKKEY#<id>                  | its fields and ciphertext             |
 * | default BYOK key    | ORG#<org>              | BYOKDEFAULT#<provider>        | which key judges use: at most one     |
 * | list of BYOK keys   | ORG#<org>              | LIST#BYOKKEYS#<block>         | pages of BYOK keys                    |
 * | judge slot          | ORG#<org>              | SLOT#<provider>#<slot>        | judge calls under way                 |
 * | open judged cases   | ORG#<org>              | OPENCASES#<shard>             | how much judges have to do            |
 * | evaluator's seat    | ORG#<org>              | SLOT#seats:<provider>#<seat>  | who evaluates at a provider           |
 * | waiting chunk       | ORG#<org>              | WAITING#<providers>#<created at>#<run id>#<chunk> | what evaluators take next |
 * | idempotency key     | ORG#<org>              | IDEMPOTENCY#<sha256>          | the run of a repeated request         |
 * | key test            | ORG#<org>              | KEYTEST#<test>                | what a provider said of a key         |
 * | customer            | CUSTOMER#<customer>    | CUSTOMER                      | whose a payment event is              |
 * | subscriber          | SUBSCRIBER#<shard>     | <org>                         | organisations with overage to report  |
 * | rate limit          | RATE#<class>#<address> | RATE                          | when requests were accepted           |
 * | pending run         | PENDING#<shard>        | <created at>#<run id>         | runs that must end                    |
 * | queue mark          | ORG#<org>              | QUEUEMARK                     | which of its messages were delivered  |
 * | position            | POSITION#<walk>        | POSITION                      | where a long walk over a shard goes on |
 * | retention due       | RETENTIONDUE           | <org>                         | runs to extend after a plan change    |
 * | purge due           | PURGEDUE               | <org>#<kind>#<id>             | items that nothing needs any more     |
 * | project             | ORG#<org>#PROJECT#<id> | PROJECT                       | its fields                            |
 * | list of suites      | ORG#<org>#PROJECT#<id> | LIST#SUITES#<block>           | pages of suites                       |
 * | list of scorers     | ORG#<org>#PROJECT#<id> | LIST#SCORERS#<block>          | pages of scorers                      |
 * | scorer              | ORG#<org>#SCORER#<id>  | SCORER                        | its fields                            |
 * | suite               | ORG#<org>#SUITE#<id>   | SUITE                         | its fields                            |
 * | list of cases       | ORG#<org>#SUITE#<id>   | LIST#CASES#<block>            | pages and order of cases              |
 * | case                | ORG#<org>#SUITE#<id>   | CASE#<case>                   | one case; all cases in one query      |
 * | large expected      | ORG#<org>#SUITE#<id>   | CASE#<case>#EXPECTED          | what did not fit beside the input     |
 * | run                 | ORG#<org>#SUITE#<id>   | RUN#<number>                  | run by id; any page of runs           |
 * | rollup of a day     | ORG#<org>#SUITE#<id>   | DAY#<yyyy-mm-dd>              | trends; the head may hold a part of it |
 * | shard of a rollup   | ORG#<org>#SUITE#<id>   | DAY#<yyyy-mm-dd>#<shard>      | figures of runs that end at once      |
 * | results of a run    | ORG#<org>#SUITE#<id>   | RESULTS#<token>#<chunk>#<part> | results too large to lie in run or chunk |
 * | payload of a run    | ORG#<org>#SUITE#<id>   | PAYLOAD#<token>#<part>        | output and input of a run under way   |
 * | packed suite        | ORG#<org>#SUITE#<id>   | PACK#<revision>               | which planned chunks hold a revision  |
 * | planned chunk       | ORG#<org>#SUITE#<id>   | PLAN#<planner>#<chunk>#<part> | the cases of a chunk, for runs        |
 * | chunk               | ORG#<org>#SUITE#<id>   | CHUNK#<token>#<chunk>         | who evaluates it; how it ended, its small results |
 * | judged case         | ORG#<org>#SUITE#<id>   | JUDGED#<token>#<chunk>#<index> | a case that needs no second call   |
 * | large judged case   | ORG#<org>#SUITE#<id>   | JUDGEDPARTS#<sha256>#<part>   | what did not fit into its item        |
 * | results dictionary  | ORG#<org>#SUITE#<id>   | DICTIONARY#<revision>#<chunk> | what packed results are packed against |
 */
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
export const trustedRepositoryKey = (orgId: string, id: string): Key => ({
  pk: org(orgId),
  sk: `TRUSTEDREPOSITORY#${id}`,
});
export const spentTokenKey = (sha256: string): Key => ({ pk: `SPENTTOKEN#${sha256}`, sk: 'SPENTTOKEN' });
export const keySetKey = (url: string): Key => ({ pk: `KEYSET#${url}`, sk: 'KEYSET' });
export const trustedRepositories = (orgId: string) => ({ pk: org(orgId), prefix: 'TRUSTEDREPOSITORY#' });
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

export const usageKey = (orgId: string, month: string, shard?: Shard): Key => ({
  pk: org(orgId),
  sk: ofShard(`USAGE#${month}`, shard),
});
/** The month's first item, then its shards. */
export const usageOfMonth = (orgId: string, month: string) => ({ pk: org(orgId), prefix: `USAGE#${month}` });

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
/** Replaces the head of a deleted suite while its runs may exist. */
export const deletedSuiteKey = (orgId: string, id: string): Key => ({
  pk: org(orgId),
  sk: `SUITEDELETED#${id}`,
});
export const deletedSuites = (orgId: string) => ({ pk: org(orgId), prefix: 'SUITEDELETED#' });
/** Suites, then deleted suites: a suite that is deleted during a walk is met twice, never missed. */
export const suitesOfRuns = (orgId: string, from: string | null, { inclusive }: { inclusive: boolean }) => ({
  pk: org(orgId),
  // No key is the beginning of another: a key with `!` appended is the first place after it.
  between: [from === null ? 'SUITE#' : inclusive ? from : `${from}!`, 'SUITEDELETED$'] as const,
});
export const suiteKey = (orgId: string, id: string): Key => ({ pk: suite(orgId, id), sk: 'SUITE' });

export const scorerKey = (orgId: string, id: string): Key => ({
  pk: `${org(orgId)}#SCORER#${id}`,
  sk: 'SCORER',
});

export const byokKeyKey = (orgId: string, id: string): Key => ({ pk: org(orgId), sk: `BYOKKEY#${id}` });
/** `provider` by its canonical name. */
export const byokDefaultKey = (orgId: string, provider: string): Key => ({
  pk: org(orgId),
  sk: `BYOKDEFAULT#${provider}`,
});
export const byokDefaults = (orgId: string) => ({ pk: org(orgId), prefix: 'BYOKDEFAULT#' });

export const casePointerKey = (orgId: string, caseId: string): Key => ({
  pk: org(orgId),
  sk: `CASE#${caseId}`,
});
export const caseKey = (orgId: string, suiteId: string, caseId: string): Key => ({
  pk: suite(orgId, suiteId),
  sk: `CASE#${caseId}`,
});
export const caseExpectedKey = (orgId: string, suiteId: string, caseId: string): Key => ({
  pk: suite(orgId, suiteId),
  sk: `CASE#${caseId}#EXPECTED`,
});
export const casesOfSuite = (orgId: string, suiteId: string) => ({
  pk: suite(orgId, suiteId),
  prefix: 'CASE#',
});

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
export const dictionaryKey = (orgId: string, suiteId: string, revision: string, chunk: number): Key => ({
  pk: suite(orgId, suiteId),
  sk: `DICTIONARY#${revision}#${padded(chunk, 4)}`,
});

/** Dictionaries of the first format: their revisions begin with a digit. */
export const dictionariesOfFirstFormat = (orgId: string, suiteId: string) => ({
  pk: suite(orgId, suiteId),
  between: ['DICTIONARY#0', 'DICTIONARY#:'] as const,
});

export const packKey = (orgId: string, suiteId: string, revision: string): Key => ({
  pk: suite(orgId, suiteId),
  sk: `PACK#${revision}`,
});

/** Named by the run's token, the planner's name or a hash; they expire after the run must have ended. */
const workingItems =
  (kind: 'PAYLOAD' | 'PLAN' | 'CHUNK' | 'JUDGED' | 'JUDGEDPARTS') =>
  (orgId: string, suiteId: string, name: string, ...numbers: number[]): Key => ({
    pk: suite(orgId, suiteId),
    sk: [kind, name, ...numbers.map((number) => padded(number, 5))].join('#'),
  });
export const payloadKey = workingItems('PAYLOAD');
export const plannedChunkKey = workingItems('PLAN');
export const chunkKey = workingItems('CHUNK');
export const judgedKey = workingItems('JUDGED');
export const judgedPartKey = workingItems('JUDGEDPARTS');
export const below = ({ pk, sk }: Key) => ({ pk, prefix: `${sk}#` });

/** `of`: a provider, or the seats there. */
export const slotKey = (orgId: string, of: string, slot: number): Key => ({
  pk: org(orgId),
  sk: `SLOT#${of}#${padded(slot, 2)}`,
});
export const slotsOfAll = (orgId: string) => ({ pk: org(orgId), prefix: 'SLOT#' });
export const slotsOf = (orgId: string, of: string) => ({ pk: org(orgId), prefix: `SLOT#${of}#` });

/** The oldest run first. */
export const waitingChunkKey = (
  orgId: string,
  providers: string,
  { created_at, id }: { readonly created_at: string; readonly id: string },
  chunk: number,
): Key => ({
  pk: org(orgId),
  sk: `WAITING#${providers}#${created_at}#${id}#${padded(chunk, 5)}`,
});
export const waitingChunks = (orgId: string, providers: string) => ({
  pk: org(orgId),
  prefix: `WAITING#${providers}#`,
});
export const waitingChunksOfAll = (orgId: string) => ({ pk: org(orgId), prefix: 'WAITING#' });

/** Several shards, so that runs of one organisation seldom meet on one item. */
export const OPEN_CASES_SHARDS = 16;
export const openCasesKey = (orgId: string, shard: number): Key => ({
  pk: org(orgId),
  sk: `OPENCASES#${padded(shard, 2)}`,
});
export const openCasesOf = (orgId: string) => ({ pk: org(orgId), prefix: 'OPENCASES#' });

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

export const queueMarkKey = (orgId: string): Key => ({ pk: org(orgId), sk: 'QUEUEMARK' });
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
/** All items of a suite, and all of a project that are not its suites' or scorers' own. */
export const suitePartition = suite;
export const projectPartition = project;

export interface ListAddress {
  readonly pk: string;
  readonly prefix: string;
}

export const projectList = (orgId: string): ListAddress => ({ pk: org(orgId), prefix: 'LIST#PROJECTS#' });
export const suiteList = (orgId: string, projectId: string): ListAddress => ({
  pk: project(orgId, projectId),
  prefix: 'LIST#SUITES#',
});
export const scorerList = (orgId: string, projectId: string): ListAddress => ({
  pk: project(orgId, projectId),
  prefix: 'LIST#SCORERS#',
});
export const caseList = (orgId: string, suiteId: string): ListAddress => ({
  pk: suite(orgId, suiteId),
  prefix: 'LIST#CASES#',
});
export const byokKeyList = (orgId: string): ListAddress => ({ pk: org(orgId), prefix: 'LIST#BYOKKEYS#' });
export const listBlockKey = (list: ListAddress, block: number): Key => ({
  pk: list.pk,
  sk: `${list.prefix}${padded(block, 4)}`,
});
