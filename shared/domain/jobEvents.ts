/** Why a job runs, by its token: the events whose jobs run code of their ref itself. Tokens of other systems do not say it. */
export const EVENTS_OF_REF: Readonly<Record<string, readonly string[]>> = {
  github: ['push', 'workflow_dispatch', 'schedule'],
  gitlab: ['push', 'web', 'schedule'],
};
