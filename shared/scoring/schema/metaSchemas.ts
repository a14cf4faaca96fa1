import type { ValidateFunction } from 'ajv/dist/core.js';
import type { Draft } from './drafts.ts';

/** Holds schemas against their draft's meta-schema. Built from trusted parts only, so schemas share it. */
export function metaValidatorOf(draft: Draft): ValidateFunction {
  const known = metaValidators.get(draft.metaSchemaId);
  if (known !== undefined) return known;
  const ajv = draft.open({ strict: false, logger: false, validateSchema: false, validateFormats: false });
  const validator = ajv.getSchema(draft.metaSchemaId);
  if (validator === undefined) throw new Error(`no meta-schema ${draft.metaSchemaId}`);
  metaValidators.set(draft.metaSchemaId, validator as ValidateFunction);
  return validator as ValidateFunction;
}

const metaValidators = new Map<string, ValidateFunction>();
