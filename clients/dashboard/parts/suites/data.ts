import type { Suite } from '../../../sdk/index.ts';
import { pageOf, useAnswer } from '../../kit/api.ts';

const PENDING_AGAIN_MS = 20_000;

/** Asked again while one of the runs shown has no verdict. */
export const useSuites = (project: string | undefined, page = 1) =>
  useAnswer(
    project === undefined ? undefined : `projects/${project}/suites?page=${page}`,
    (sdk, options) => pageOf(sdk.suites.list(project ?? '', { page }, options)),
    ({ data }) =>
      data.some((suite) => suite.latest_run?.status === 'pending') ? PENDING_AGAIN_MS : undefined,
  );

const SHA_SHOWN = 7;

/** `octo/support-bot@8f2c1aa`: where the file lies that the next push brings again. */
export function sourceOf({ last_push: push }: Suite): string | undefined {
  const { repository, sha } = push?.source ?? {};
  if (!push) return undefined;
  if (repository === undefined) return 'a terminal';
  return sha === undefined ? repository : `${repository}@${sha.slice(0, SHA_SHOWN)}`;
}
