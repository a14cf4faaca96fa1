export interface Candidate {
  readonly output: string;
  /** What the output answers; judges are shown it. */
  readonly input: Record<string, unknown>;
}
