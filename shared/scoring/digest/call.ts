import type { Call } from '../kit/trace.ts';

/** Of a call what decides. */
export const digested = ({ at: _, ...call }: Call): Omit<Call, 'at'> => call;
