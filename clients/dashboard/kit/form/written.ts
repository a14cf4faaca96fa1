import type { Forms } from './description.ts';

/** What `describe.ts` gives: the build writes it in place of this file. */
export declare const FORMS: Forms;
