/**
 * Events whose jobs run what the repository's own branches and pull requests hold. In a job of any other, such as
 * `workflow_run`, evalgate.yaml may have come with a fork's artifact, and the job has the rights of the repository.
 */
const OWN_EVENTS = ['push', 'pull_request', 'merge_group', 'schedule', 'workflow_dispatch', 'release'];

/** Whether the files of a job of this event are the repository's own. */
export const isOwnEvent = (event: string): boolean => OWN_EVENTS.includes(event);
