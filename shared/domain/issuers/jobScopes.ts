import type { JobScope } from '../../contracts/base/scopes.ts';
import type { TrustedIssuer } from '../../contracts/credentials/trustedIssuers.ts';
import { AppError } from '../errors.ts';
import { EVENTS_OF_REF } from '../jobEvents.ts';
import type { GithubJob } from './githubJob.ts';

export const refused = (sentence: string): AppError => new AppError('SCOPE_REQUIRED', sentence);

/** Throws for a job that gets no token of scope `suites`, whatever registration there is. */
export function refuseUnsafeJob({ eventName, isRefUnprotected }: GithubJob): void {
  // Jobs of pull_request_target, issue_comment and workflow_run have the default branch as ref: anybody's, too.
  if (!EVENTS_OF_REF.github?.some((event) => event === eventName)) {
    throw refused(
      'Only jobs of the events push, workflow_dispatch and schedule get the scope "suites", since others may run code without a review: send it from a job of one of these, or ask for the scope "run".',
    );
  }
  if (isRefUnprotected) {
    throw refused(
      'Only jobs of a protected branch get the scope "suites": protect the branch at GitHub by a ruleset or a protection rule, or ask for the scope "run".',
    );
  }
}

/** Of the registrations that are about a job, those of the scope that it asks for. `names`: what one of `suites` names. */
export function ofScope<Registration extends Pick<TrustedIssuer, 'scope'>>(
  scope: JobScope,
  matching: readonly Registration[],
  names: string,
): readonly Registration[] {
  const ofThisScope = matching.filter((registration) => registration.scope === scope);
  if (ofThisScope.length > 0) return ofThisScope;
  if (scope === 'suites') {
    throw refused(
      `No registration of the scope "suites" is for this job: add one that names ${names} with POST /v1/trusted-issuers, or ask for the scope "run".`,
    );
  }
  if (matching.length > 0) {
    throw refused(
      'This job is trusted with the scope "suites" only: ask for it with {"scope": "suites"}, or add a registration of the scope "run".',
    );
  }
  return ofThisScope;
}
