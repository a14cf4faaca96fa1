/** For clients, too, which start without the schemas. */
export const CONTRACT_LIMITS = {
  outputBytes: 1_048_576,
  documentBytes: 262_144,
  triggerMetaBytes: 16_384,
  metadataBytes: 2_048,
  jsonDepth: 64,
} as const;

/** Of one run. */
export const OUTPUTS_MAX = 20_000;
