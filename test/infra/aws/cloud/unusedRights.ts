import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deployedRights } from '../rights/deployedRights.ts';

/** Function id to the actions that it used. */
export type UsedRights = ReadonlyMap<string, ReadonlySet<string>>;

/** Names the folder where the clouds of a whole pass record used rights. */
const USED_RIGHTS_VARIABLE = 'EVALGATE_USED_RIGHTS';

export function recordUsedRights(used: UsedRights): void {
  const folder = process.env[USED_RIGHTS_VARIABLE];
  if (folder === undefined) return;
  const noted = [...used].map(([functionId, actions]) => [functionId, [...actions]]);
  writeFileSync(path.join(folder, `${randomUUID()}.json`), JSON.stringify(noted));
}

function readUsedRights(folder: string): UsedRights {
  const used = new Map<string, Set<string>>();
  for (const file of readdirSync(folder)) {
    const noted: [string, string[]][] = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    for (const [functionId, actions] of noted) {
      used.set(functionId, new Set([...(used.get(functionId) ?? []), ...actions]));
    }
  }
  return used;
}

/** Whether a run of all tests has such results depends on how far judges came. */
const LONG_VERDICTS = 'Only results with long verdicts of judges fill an item when their chunk is given up.';
const BY_LAMBDA = 'Lambda itself does that, under the role of the function.';

/** By function, or `*` for all: an action, and the reason why no test uses it. */
export type Explanations = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Any other unused right fails the pass. */
const EXPLAINED: Explanations = {
  '*': {
    'logs:CreateLogStream': BY_LAMBDA,
    'logs:PutLogEvents': BY_LAMBDA,
    'xray:PutTraceSegments': BY_LAMBDA,
    'xray:PutTelemetryRecords': BY_LAMBDA,
  },
  'evaluator/deadLetters': { 'dynamodb:PutItem': LONG_VERDICTS },
  'evaluator/sweep': { 'dynamodb:PutItem': LONG_VERDICTS },
};

/** Unused rights without an explanation, and explanations without an unused right. */
export function complaintsOf(
  held: ReadonlyMap<string, readonly string[]>,
  used: UsedRights,
  explained: Explanations = EXPLAINED,
): string[] {
  const isExplained = (id: string, action: string) =>
    (explained[id]?.[action] ?? explained['*']?.[action]) !== undefined;
  const unused = [...held].flatMap(([id, actions]) =>
    actions
      .filter((action) => !used.get(id)?.has(action) && !isExplained(id, action))
      .map(
        (action) =>
          `${id} never used ${action}: take it from its contract (a worker's: infra/aws/rights/rights.ts), or use it in a test`,
      ),
  );
  const { '*': _, ...ofFunctions } = explained;
  const needless = Object.entries(ofFunctions).flatMap(([id, actions]) =>
    Object.keys(actions)
      .filter(
        (action) =>
          !held.get(id)?.includes(action) ||
          (used.get(id)?.has(action) && explained[id]?.[action] !== LONG_VERDICTS),
      )
      .map((action) => `${id} needs no explanation for ${action}: it used it, or has no right to it`),
  );
  return [...unused, ...needless];
}

if (import.meta.main) {
  const held = new Map(
    [...deployedRights()].map(([id, { statements }]) => [id, statements.flatMap(({ Action }) => Action)]),
  );
  const complaints = complaintsOf(held, readUsedRights(process.argv[2] ?? '.'));
  const rights = [...held.values()].flat().length;
  const verdict = complaints.length === 0 ? ['all used, or explained'] : ['', ...complaints];
  process.stdout.write(`${rights} rights of ${held.size} functions: ${verdict.join('\n')}\n`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
