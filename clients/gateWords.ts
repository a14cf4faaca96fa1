import { wordsOf } from '../shared/contracts/base/fields.ts';
import { gatesSchema } from '../shared/contracts/gates.ts';

/** A bound: of gates whose values are numbers of something, and no shares. */
function gateWords(): object {
  const { shape } = gatesSchema;
  const described = Object.entries(shape).map(([gate, schema]) => {
    const { label, result, bound, unit, isRelative } = wordsOf(schema.unwrap()) ?? {};
    return [gate, { label: result ?? label, ...(unit === undefined && bound && { bound }), isRelative }];
  });
  return Object.fromEntries(described);
}

export const gateWordsFile = () => ({
  file: 'clients/sdk/generated/gateWords.ts',
  text: `// Written by \`npm run clients\` from shared/contracts/gates.ts.

interface GateWords {
  readonly label: string;
  readonly bound?: 'least' | 'most';
  readonly isRelative?: true;
}

/** What a gate is called; of one that counts, and compares no shares, with its bound. Relative: it compares runs with a baseline. */
export const GATE_WORDS: Readonly<Record<string, GateWords>> = ${JSON.stringify(gateWords(), null, 2)};
`,
});
