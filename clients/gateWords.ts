import { wordsOf } from '../shared/contracts/base/fields.ts';
import { gatesSchema } from '../shared/contracts/gates.ts';

/** Gates whose values are numbers of something, and no shares. */
function gateWords(): object {
  const { shape } = gatesSchema;
  const described = Object.entries(shape).map(([gate, schema]) => [gate, wordsOf(schema.unwrap())] as const);
  const counted = described.flatMap(([gate, words]) =>
    words?.bound && words.unit === undefined ? [[gate, { label: words.label, bound: words.bound }]] : [],
  );
  return Object.fromEntries(counted);
}

export const gateWordsFile = () => ({
  file: 'clients/sdk/generated/gateWords.ts',
  text: `// Written by \`npm run clients\` from shared/contracts/gates.ts.

interface GateWords {
  readonly label: string;
  readonly bound: 'least' | 'most';
}

/** What a gate counts that compares no shares, by its name. */
export const GATE_WORDS: Readonly<Record<string, GateWords>> = ${JSON.stringify(gateWords(), null, 2)};
`,
});
