/** As much as is read of what GitHub says of a job in its token. */
export type JobClaims = Readonly<Record<string, unknown>>;

/** What a token says, unverified. Undefined for what is no token. */
export function claimsOf(token: string): JobClaims | undefined {
  try {
    const claims: unknown = JSON.parse(String(Buffer.from(token.split('.')[1] ?? '', 'base64url')));
    return typeof claims === 'object' && claims !== null ? { ...claims } : undefined;
  } catch {
    return undefined;
  }
}

/** As the service takes it apart: greedy, since the name of a file may hold "@". */
const WORKFLOW_REF = /^([^/]+\/[^/]+)\/(\.github\/workflows\/[^/]+\.ya?ml)@/;

/** The file of a workflow, as a registration names it; of a workflow of another repository with that one's name. */
export function workflowFileOf(workflowRef: string, repository: string): string {
  const [, owner, file] = WORKFLOW_REF.exec(workflowRef) ?? [];
  if (file === undefined) return workflowRef;
  return owner === repository ? file : `${owner}/${file}`;
}
