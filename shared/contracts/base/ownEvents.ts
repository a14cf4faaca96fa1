/**
 * Events of GitHub whose jobs run what the repository's own branches and pull requests hold, and whose `sha` is what they
 * were started for. A job of any other, such as `workflow_run`, has the rights of the repository and a commit of its default
 * branch, while it may work on what a fork sent.
 */
const OWN_EVENTS = ['push', 'pull_request', 'merge_group', 'schedule', 'workflow_dispatch', 'release'];

/** Whether the files of a job of this event are the repository's own. */
export const isOwnEvent = (event: string): boolean => OWN_EVENTS.includes(event);
