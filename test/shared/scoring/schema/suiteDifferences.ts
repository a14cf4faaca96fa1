/** Where the service differs from the JSON-Schema-Test-Suite, and why; nothing else may. */
export interface Difference {
  readonly why: string;
  /** Of the message, for schemas that are refused when they are written. */
  readonly refusal?: RegExp;
  /** Of the test's title, for tests that are judged otherwise. */
  readonly test?: RegExp;
}

export const REQUIRED: readonly Difference[] = [
  {
    why: 'A schema is an object in a config: `true` and `false` check nothing, or let nothing pass.',
    refusal: /^must be an object$/,
  },
  {
    why: 'Other documents, the meta-schemas among them, are not fetched: they could change under the gate.',
    refusal: /^only references within the schema are resolved/,
  },
  {
    why: 'Meta-schemas of others are not known, and what they leave out would not be checked.',
    refusal: /^must be one of 2020-12, 2019-09, draft-07, draft-06 or draft-04$/,
  },
  {
    why: 'No rule for the name `__proto__` is accepted: generated code leaves such rules out.',
    refusal: /^must not hold the name "__proto__"/,
  },
  {
    why: 'A constant beyond 2 ** 53 would equal its neighbours.',
    refusal: /^holds a number that is not exact/,
  },
  {
    why: 'A format that is not checked would let everything pass: idn-email, idn-hostname, iri, iri-reference.',
    refusal: /^"(idn-email|idn-hostname|iri|iri-reference|unknown)" is not checked/,
  },
  {
    why: 'Formats are checked in every draft, though since 2019-09 the drafts leave it to the validator.',
    test: / is only an annotation by default$/,
  },
];

export const FORMATS: readonly Difference[] = [
  ...REQUIRED,
  {
    why: 'Punycode is not decoded, so what a label stands for is not held against the rules of IDNA 2008.',
    test: /^validation of A-label \(punycode\) host names\//,
  },
  {
    why: 'A pattern without Unicode rules is accepted, and in those `\\a` is a letter.',
    test: /^\\a is not an ECMA 262 control escape\//,
  },
];
