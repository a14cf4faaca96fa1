import { apiDocument } from './api.ts';
import { configurationDocument } from './configuration.ts';

export interface GeneratedDocument {
  /** From the repository's root. */
  readonly file: string;
  readonly text: () => string;
}

/** Every document that is generated. */
export const documents: readonly GeneratedDocument[] = [
  { file: 'docs/api.md', text: apiDocument },
  { file: 'docs/configuration.md', text: configurationDocument },
];
