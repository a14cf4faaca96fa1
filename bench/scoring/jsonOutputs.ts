import { scoreSuite } from '../../shared/scoring/engine/score.ts';
import { prepareSuite } from '../../shared/scoring/engine/suite.ts';
import { EXTRACTS, type Extract } from '../../shared/scoring/kit/reading/extract.ts';
import type { PreparedSuite } from '../../shared/scoring/kit/types.ts';
import { type Bound, median, type Row, type Size } from '../result.ts';
import { OUTPUT } from './scoringCases.ts';

const SIZE = {
  full: { bytes: 1_000_000, rounds: 15 },
  smallest: { bytes: 5_000, rounds: 1 },
} as const;

const repeated = (bytes: number, unit: (at: number) => string): string => {
  const units: string[] = [];
  for (let length = 0; length < bytes; length += (units.at(-1)?.length ?? 0) + 1)
    units.push(unit(units.length));
  return units.join();
};

/** Of an answer with many records, and of one with many names in one object. */
const DOCUMENTS: Readonly<Record<string, (bytes: number) => string>> = {
  records: (bytes) => `{"decision":"approve","list":[${repeated(bytes, () => OUTPUT)}]}`,
  names: (bytes) => `{"decision":"approve",${repeated(bytes, (at) => `"name_${at}":${at}`)}}`,
};

const AROUND: Readonly<Record<Extract, (json: string) => string>> = {
  whole: (json) => json,
  fenced: (json) => `Here you are:\n\`\`\`json\n${json}\n\`\`\`\n`,
  embedded: (json) => `Here you are: ${json} That is all.`,
};

/** 1.3 times what it was before names that stand twice were looked for, and brackets beside an answer. */
const BOUNDS: Readonly<Record<string, Readonly<Record<Extract, Bound>>>> = {
  records: { whole: { atMost: 3 }, fenced: { atMost: 3.8 }, embedded: { atMost: 7 } },
  names: { whole: { atMost: 2.8 }, fenced: { atMost: 2.8 }, embedded: { atMost: 3.9 } },
};

const suiteOf = (extract: Extract): Promise<PreparedSuite> => {
  const assertions = [{ path: '$.decision', op: 'equals', value: 'approve' }];
  const thresholds = { dual_sided: false, precision_threshold: null, recall_threshold: null };
  const scorer = { id: 'path', type: 'json_path', config: { extract, assertions }, ...thresholds };
  const evalCase = { id: 'case', name: 'case', expected: null, threshold: 1, weight: 1, scorer };
  return prepareSuite({ passThreshold: 1, cases: [evalCase] });
};

/** Of a text that was never read before: V8 keeps what it knows of a text. */
const copyOf = (text: string): string => `${text.slice(0, -1)}${text.at(-1)}`;

function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** What it costs to judge an output of JSON, as a multiple of what it costs to parse it: in turn, in processor time. */
export async function jsonOutputRows(size: Size): Promise<Row[]> {
  const { bytes, rounds } = SIZE[size];
  const rows: Row[] = [];
  for (const [title, write] of Object.entries(DOCUMENTS)) {
    const json = write(bytes);
    for (const extract of EXTRACTS) {
      const suite = await suiteOf(extract);
      const output = AROUND[extract](json);
      const ratios = Array.from({ length: rounds + 2 }, () => {
        const [judged, parsed] = [copyOf(output), copyOf(json)];
        const judging = processorMs(() =>
          scoreSuite(suite, { outputsOf: () => [{ output: judged }], now: () => performance.now() }),
        );
        return (
          judging /
          Math.max(
            processorMs(() => JSON.parse(parsed)),
            0.01,
          )
        );
      });
      const bound = BOUNDS[title]?.[extract];
      rows.push({
        metric: `1 MB of JSON, ${title}, ${extract} / JSON.parse`,
        value: Math.round(median(ratios.slice(2)) * 100) / 100,
        unit: 'ratio',
        ...(bound && { bound }),
      });
    }
  }
  return rows;
}
