import type { CheckedJudge, WrongAnswer } from '../../contracts/judgeChecks.ts';

/** A check that was done. */
export interface EndedCheck {
  readonly ended_at: string;
  readonly judges: readonly CheckedJudge[];
  /** By case, if wrong answers were sent for it: the threshold that they were held to. */
  readonly thresholds: Readonly<Record<string, number>>;
  readonly left_out: number;
}

export interface StoredCheck {
  readonly check_id: string;
  readonly started_at: string;
  readonly status: 'pending' | 'done' | 'failed';
  /** The last that was done: this one, or one before. */
  readonly ended: EndedCheck | undefined;
}

export interface CheckedSuite {
  readonly orgId: string;
  readonly id: string;
}

export interface CheckReader {
  find(suite: CheckedSuite): Promise<StoredCheck | undefined>;
}

/** One check a suite. */
export interface CheckStore extends CheckReader {
  /** Of the last check that was done, while it is kept. */
  wrong(suite: CheckedSuite): Promise<readonly WrongAnswer[]>;
  /** Answers the check that is pending then: another one where that began after `pendingSince`. */
  begin(
    suite: CheckedSuite,
    check: Pick<StoredCheck, 'check_id' | 'started_at'>,
    pendingSince: string,
  ): Promise<Pick<StoredCheck, 'check_id'>>;
  /** Nothing happens where another check has begun, or this one has ended. */
  end(
    suite: CheckedSuite,
    check_id: string,
    ended: EndedCheck & { readonly wrong: readonly WrongAnswer[] },
  ): Promise<void>;
  /** The same. What was done before stays. */
  fail(suite: CheckedSuite, check_id: string): Promise<void>;
}
