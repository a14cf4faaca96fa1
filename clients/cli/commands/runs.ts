import { EXIT } from '../../gate/problems/exitCodes.ts';
import { share } from '../../gate/report/numbers.ts';
import { originWords } from '../../gate/report/review/origin.ts';
import { stateOf } from '../../gate/report/types.ts';
import type { Run, Suite } from '../../sdk/index.ts';
import { type Connected, type Context, connect, type Handler } from '../context.ts';
import { countOf } from '../input/options.ts';
import { findSuite, projectsOf } from '../output/findSuite.ts';
import { fields, print } from '../output/print.ts';
import { Problem } from '../problem.ts';

const LIMIT_MAX = 1_000;

type Shown = NonNullable<Suite['latest_run']>;

const runFields = (run: Shown): string =>
  fields(
    run.id,
    stateOf(run),
    run.status === 'pending' ? '–' : share(run.pass_rate),
    run.created_at,
    originWords(run) || 'no branch named',
  );

interface RunsOptions {
  readonly limit: string;
  readonly branch?: string;
  readonly pullRequest?: string;
}

/** A suite's runs, or every suite with its latest one. */
export const runs: Handler<RunsOptions> = async (context, [suite], { limit, branch, pullRequest }) => {
  const max = countOf('--limit', limit, LIMIT_MAX);
  const connected = connect(context);
  const filter = { branch, pull_request: pullRequest };
  if (suite === undefined) {
    if (branch ?? pullRequest) throw new Problem('--branch and --pull-request need a suite.');
    return latestRuns(context, connected);
  }
  const { id } = await findSuite(connected, suite);
  const listed: Run[] = [];
  for await (const run of connected.gate.runs.list(id, { ...filter, pageSize: Math.min(max, 100) })) {
    if (listed.push(run) === max) break;
  }
  print(context, listed, runFields, 'The suite has no such runs.');
  return EXIT.done;
};

async function latestRuns(context: Context, connected: Connected): Promise<number> {
  const suites: (Suite & { project_slug: string })[] = [];
  for (const project of await projectsOf(connected)) {
    for await (const suite of connected.gate.suites.list(project))
      suites.push({ ...suite, project_slug: project });
  }
  const lineOf = ({ slug, project_slug, latest_run }: (typeof suites)[number]): string =>
    `${fields(slug, project_slug)}  ${latest_run ? runFields(latest_run) : 'no runs'}`;
  print(context, suites, lineOf, 'There are no suites.');
  return EXIT.done;
}
