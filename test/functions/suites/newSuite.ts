import { TIMESTAMP, UUID } from '../../support/expectations.ts';

/** Every field of a suite that was just made, with the defaults of those that are not given. */
export const newSuite = (fields: {
  readonly project_id: string;
  readonly name: string;
  readonly slug: unknown;
}) => ({
  id: UUID,
  description: null,
  pass_threshold: 1,
  gates: {},
  keep_outputs: 'failed',
  show_expected: false,
  show_inputs: false,
  show_results: true,
  latest_run: null,
  baseline_id: null,
  last_push: null,
  created_at: TIMESTAMP,
  version: 1,
  updated_at: TIMESTAMP,
  ...fields,
});
