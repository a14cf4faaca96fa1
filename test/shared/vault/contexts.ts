import type { KeyContext } from '../../../shared/domain/byok/ports.ts';

export const CONTEXT: KeyContext = {
  org: '1f3a0c9e-7f0e-4b8e-9a55-0d3a8f1f1c01',
  provider: 'openai',
  keyId: '9c2e4b12-3f60-4d2c-8a4e-2f7b5c6d7e02',
};

/** The same key elsewhere: each differs in one way. */
export const OTHER_CONTEXTS: readonly (readonly [what: string, context: KeyContext])[] = [
  ['another organisation', { ...CONTEXT, org: '1f3a0c9e-7f0e-4b8e-9a55-0d3a8f1f1c02' }],
  ['a project', { ...CONTEXT, project: '3d1d9a77-2f6f-4f0e-8a4e-2f7b5c6d7e04' }],
  ['another provider', { ...CONTEXT, provider: 'anthropic' }],
  ['another key', { ...CONTEXT, keyId: '9c2e4b12-3f60-4d2c-8a4e-2f7b5c6d7e03' }],
  ['values in each other’s place', { ...CONTEXT, org: CONTEXT.keyId, keyId: CONTEXT.org }],
];
