/** Requests that the documentation shows: a test sends them, in this order, to a service with a new organisation. */
export interface Example {
  /** Of the contract. */
  readonly id: string;
  /** Unique in its operation. */
  readonly name: string;
  readonly title: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  /** Which of `IDS` the answer's id takes the place of in the examples that follow. */
  readonly makes?: keyof typeof IDS;
  /** It differs from another example in what only HTTP shows: there are no samples of the clients. */
  readonly isOfHttp?: true;
}

/** What stands in the documentation for the ids that a service gives. */
export const IDS = {
  suite: '0b7e4a52-6d0f-4c1e-9a35-2f8c1d7e6a01',
  scorer: '3d9f1c80-52ab-4e77-8b14-90c6e2a45f02',
  judge: '5e2a7b14-81cd-4f3a-a6d2-17b3f08c9d03',
  evalCase: '7c41d8e6-3f92-4b05-8e6a-c5d2019b7e04',
  otherCase: '9a68f3b2-10de-47c9-b3f1-6e84a27d5c05',
  clearedRun: 'run_01JD2Z8V3Q7L',
  run: 'run_01JD2Z8V3Q7M',
  waivedRun: 'run_01JD2Z8V3Q7N',
  /** Of the bar of the first run, without `sha256:`. */
  digest: 'a3c1f09d5b7e2468ace013579bdf2468a3c1f09d5b7e2468ace013579bdf2468',
  /** When a waiver ends: a time ahead. */
  until: '2026-12-31T12:00:00Z',
  apiKey: 'a1b54c37-e8f0-4d29-9c6b-38d7f1e02a06',
  byokKey: 'c3d76e59-0a12-4f4b-be8d-5af913042b07',
  issuer: 'e5f9807b-2c34-416d-90af-7c1b35264c08',
} as const;

export const PROJECT = { slug: 'support-bot' };
export const SUITE = { ...PROJECT, suiteSlug: 'returns' };
export const OF_SUITE = { suiteId: IDS.suite };
export const OF_RUN = { runId: IDS.run };
export const OF_BAR = { ...OF_SUITE, digest: `sha256:${IDS.digest}` };
