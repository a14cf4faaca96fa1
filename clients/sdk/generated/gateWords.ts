// Written by `npm run clients` from shared/contracts/gates.ts.

interface GateWords {
  readonly label: string;
  readonly bound?: 'least' | 'most';
  readonly isRelative?: true;
}

/** What a gate is called; of one that counts, and compares no shares, with its bound. Relative: it compares runs with a baseline. */
export const GATE_WORDS: Readonly<Record<string, GateWords>> = {
  "min_judged_cases": {
    "label": "Judged cases",
    "bound": "least"
  },
  "min_lower_bound": {
    "label": "Lower bound"
  },
  "tags": {
    "label": "Tag"
  },
  "max_newly_failing": {
    "label": "Newly failing cases",
    "bound": "most",
    "isRelative": true
  },
  "regression": {
    "label": "Regression",
    "isRelative": true
  },
  "min_comparable": {
    "label": "Comparable"
  },
  "judges": {
    "label": "Judges"
  }
};
