import * as z from 'zod';

/** What a run judged, as the token of its job proves it, or else as `trigger_meta` says. */
export const originFields = {
  /** Null for a run of a pull request, and where it is not known. What is no branch, such as a tag, is a full ref. */
  branch: z.string().nullable(),
  /** The number; null for a run of a branch, and where it is not known. */
  pull_request: z.string().nullable(),
  /** Whether it counts as the default branch's, as does a run that names neither. */
  is_default_branch: z.boolean(),
};
