// Written by `npm run clients` from shared/contracts/gates.ts.

interface GateWords {
  readonly label: string;
  readonly bound: 'least' | 'most';
}

/** What a gate counts that compares no shares, by its name. */
export const GATE_WORDS: Readonly<Record<string, GateWords>> = {
  "min_judged_cases": {
    "label": "Judged cases",
    "bound": "least"
  },
  "max_newly_failing": {
    "label": "Newly failing cases",
    "bound": "most"
  }
};
