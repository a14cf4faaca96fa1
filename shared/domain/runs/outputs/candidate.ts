/** The output that a client asks a verdict on. */
export interface Candidate {
  readonly output: string;
  /** The input that the output answers. Judges are shown it. */
  readonly input: Record<string, unknown>;
}
