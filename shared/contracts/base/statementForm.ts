/** What a statement is, for those who make one and those who verify it. */
export const STATEMENT_FORM = {
  /** A Sigstore bundle that holds a DSSE envelope. */
  mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
  payloadType: 'application/vnd.in-toto+json',
  type: 'https://in-toto.io/Statement/v1',
  /** Simple Verification Result. */
  predicateType: 'https://in-toto.io/attestation/svr/v0.2',
  property: 'EVALGATE_CLEARED',
} as const;

/** What is signed of a payload: DSSE 1.0. */
export function preAuthEncoding(payload: Uint8Array): Uint8Array {
  const { payloadType } = STATEMENT_FORM;
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}
