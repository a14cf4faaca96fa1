import * as z from 'zod';
import type { IssuedToken, NamedRepository } from '../accounts/ports.ts';

const text = z.string().min(1).max(1_024);
const shaSchema = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const numericId = z.string().regex(/^\d{1,20}$/);

/** GitHub's claims of a job. `sub` is not read: repositories may change its form. */
const claimsSchema = z.object({
  jti: text,
  repository: text,
  repository_id: numericId,
  repository_owner_id: numericId,
  ref: text,
  environment: text.nullable().default(null),
  workflow_ref: text,
  actor: text,
  run_id: text,
  // Not every job needs these: one whose token has them in another form, or not at all, can run gates.
  sha: z.unknown().optional(),
  event_name: z.unknown().optional(),
  head_ref: z.unknown().optional(),
  job_workflow_ref: z.unknown().optional(),
  run_attempt: z.unknown().optional(),
  ref_protected: z.unknown().optional(),
});
type Claims = z.output<typeof claimsSchema>;

export interface GithubJob extends NamedRepository {
  readonly ref: string;
  /** The branch of a pull request. */
  readonly headRef: string | undefined;
  readonly sha: string | undefined;
  readonly eventName: string | undefined;
  /** Whether the token does not say that the ref is protected. */
  readonly isRefUnprotected: boolean;
  readonly environment: string | null;
  /** `.github/workflows/gate.yml`, with `owner/name/` before it if the workflow is in another repository. */
  readonly workflow: string;
  /** Whether that file is of another ref of the repository than the job's, or is not named in GitHub's form. */
  readonly isWorkflowElsewhere: boolean;
  /** File and ref of the workflow that has the job: of a reusable one, which `workflow` does not name. */
  readonly jobWorkflowRef: string | undefined;
  readonly actor: string;
  readonly runId: string;
  readonly runAttempt: string | undefined;
}

/** Undefined for the claims of something else than a job of GitHub. */
export function githubJobIn({ claims }: Pick<IssuedToken, 'claims'>): GithubJob | undefined {
  const { data } = claimsSchema.safeParse(claims);
  if (data === undefined) return undefined;
  const { repository, ref, environment, actor, ref_protected } = data;
  return {
    repository,
    repositoryId: data.repository_id,
    repositoryOwnerId: data.repository_owner_id,
    ref,
    headRef: text.safeParse(data.head_ref).data,
    sha: shaSchema.safeParse(data.sha).data,
    eventName: text.safeParse(data.event_name).data,
    isRefUnprotected: ref_protected !== true && ref_protected !== 'true',
    environment,
    ...workflowOf(data),
    jobWorkflowRef: text.safeParse(data.job_workflow_ref).data,
    actor,
    runId: data.run_id,
    runAttempt: numericId.safeParse(data.run_attempt).data,
  };
}

/** Greedy: the file's name may hold "@", and text that looks like the end of a file's name. */
const WORKFLOW_REF = /^([^/]+\/[^/]+)\/(\.github\/workflows\/[^/]+\.ya?ml)@(.*)$/s;

/** The path of the workflow's file. One in another repository keeps that repository's name, and has a ref of its own. */
function workflowOf({
  workflow_ref,
  repository,
  ref,
}: Claims): Pick<GithubJob, 'workflow' | 'isWorkflowElsewhere'> {
  const [, owner, path, ownRef] = WORKFLOW_REF.exec(workflow_ref) ?? [];
  if (owner === undefined || path === undefined) return { workflow: workflow_ref, isWorkflowElsewhere: true };
  if (owner.toLowerCase() === repository.toLowerCase())
    return { workflow: path, isWorkflowElsewhere: ownRef !== ref };
  return { workflow: `${owner}/${path}`, isWorkflowElsewhere: false };
}
