import { realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { tryLocally } from '../../clients/files/trial/tryLocally.ts';
import { firstRepeatedName } from '../../shared/contracts/json/repeatedNames.ts';
import { firstRounded, mayLeaveRange } from '../../shared/contracts/json/roundedNumbers.ts';
import { asserting, type Loaded, loaded } from '../../test/clients/importers/promptfoo/importing.ts';
import type { Row } from '../result.ts';
import { type DrawnAssertion, drawAssertions, outputsFor } from './draws.ts';

/** It never passes here, as docs/import.md says of all of JSON. */
const AMBIGUOUS = 'JSON that readers take in different ways passes there';

function isReadDifferently(output: string): boolean {
  try {
    const isRepeated = firstRepeatedName(output, JSON.parse(output)) !== undefined;
    return isRepeated || firstRounded(output) !== undefined || mayLeaveRange(output);
  } catch {
    return false;
  }
}

const COST = 1;
const LATENCY_MS = 100;

interface Asked {
  readonly assertion: DrawnAssertion;
  readonly test: { readonly vars: object };
  readonly providerResponse: { readonly output: string; readonly cost: number };
  readonly latencyMs: number;
}
type RunAssertion = (asked: Asked) => Promise<{ readonly pass: boolean }>;

/** promptfoo's own scoring, which lies beside the command. It keeps its files in `folder`. */
async function scoringOf(command: string, folder: string): Promise<RunAssertion> {
  process.env.PROMPTFOO_CONFIG_DIR = path.join(folder, 'promptfoo');
  process.env.PROMPTFOO_DISABLE_TELEMETRY = '1';
  process.env.PROMPTFOO_DISABLE_UPDATE = '1';
  const library = path.join(path.dirname(realpathSync(command)), 'index.js');
  const module = await import(pathToFileURL(library).href);
  return module.assertions.runAssertion;
}

/** How often both score the same, how often not, and by which of the differences that the import reports. */
class Counts {
  compared = 0;
  refusedThere = 0;
  readonly named = new Map<string, number>();
  readonly unexplained: string[] = [];

  differs(reasons: readonly string[], what: string): void {
    if (reasons.length === 0) this.unexplained.push(what);
    const reason = reasons.join('; ');
    if (reason !== '') this.named.set(reason, (this.named.get(reason) ?? 0) + 1);
  }

  rows(assertions: number): Row[] {
    const differing = [...this.named.values()].reduce((sum, count) => sum + count, 0);
    const of = 'promptfoo differential';
    return [
      { metric: `${of}: assertions`, value: assertions, unit: 'assertions' },
      { metric: `${of}: comparisons`, value: this.compared, unit: 'verdicts' },
      { metric: `${of}: refused there`, value: this.refusedThere, unit: 'verdicts' },
      { metric: `${of}: named differences`, value: differing, unit: 'verdicts' },
      ...[...this.named].map(([reason, value]) => ({ metric: `${of}: ${reason}`, value, unit: 'verdicts' })),
      {
        metric: `${of}: unexplained differences`,
        value: this.unexplained.length,
        unit: 'verdicts',
        bound: { atMost: 0 },
      },
    ];
  }
}

const metadata = { latency_ms: LATENCY_MS, cost_usd: COST };

async function passesHere({ definition }: Loaded, output: string): Promise<boolean> {
  const outputs = definition.cases.map(({ key }) => ({ case: key, output, metadata }));
  const tried = await tryLocally(definition, { outputs }, { nowMs: Date.now() });
  if (tried.outcome !== 'verdict') throw new Error(JSON.stringify(tried));
  return tried.verdict.scores.every(({ passed }) => passed);
}

/** Scores drawn outputs by drawn assertions, there and as the import has them here. */
export async function differentialRows(command: string, folder: string, count: number): Promise<Row[]> {
  const runAssertion = await scoringOf(command, folder);
  const passesThere = async (assertion: DrawnAssertion, output: string): Promise<boolean | undefined> => {
    const providerResponse = { output, cost: COST };
    try {
      return (await runAssertion({ assertion, test: { vars: {} }, providerResponse, latencyMs: LATENCY_MS }))
        .pass;
    } catch {
      return undefined;
    }
  };
  const counts = new Counts();
  let imported = 0;
  for (const assertion of drawAssertions(count)) {
    const suite = await loaded(asserting(assertion));
    if (suite.definition.cases.length === 0) continue;
    imported++;
    const reasons = suite.report.differences.map(({ reason }) => reason);
    for (const output of outputsFor(assertion)) {
      const there = await passesThere(assertion, output);
      if (there === undefined) counts.refusedThere++;
      else {
        counts.compared++;
        const isAmbiguous = there && isReadDifferently(output);
        if (there !== (await passesHere(suite, output)))
          counts.differs(isAmbiguous ? [AMBIGUOUS] : reasons, JSON.stringify({ assertion, output, there }));
      }
    }
  }
  for (const one of counts.unexplained.slice(0, 20)) console.error(`promptfoo scores otherwise: ${one}`);
  return counts.rows(imported);
}
