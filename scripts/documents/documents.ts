import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deployedRights } from '../../infra/aws/rights/deployedRights.ts';
import { rightsRows } from '../../infra/aws/rights/rightsRows.ts';
import { ROOT } from '../run.ts';
import { apiDocument } from './api.ts';
import { cliHelp } from './cliHelp.ts';
import { configurationDocument } from './configuration.ts';
import { withSections } from './sections.ts';
import { stateMachines } from './states.ts';
import { table } from './table.ts';

export interface GeneratedDocument {
  /** From the repository's root. */
  readonly file: string;
  readonly text: () => string;
}

/** A page written by hand, but for some sections. */
const page = (file: string, sections: () => Readonly<Record<string, string>>): GeneratedDocument => ({
  file,
  text: () => withSections(readFileSync(path.join(ROOT, file), 'utf8'), sections()),
});

/** Every document that is generated, or has generated sections. */
export const documents: readonly GeneratedDocument[] = [
  { file: 'docs/api.md', text: apiDocument },
  { file: 'docs/configuration.md', text: configurationDocument },
  page('docs/architecture.md', () => ({ states: stateMachines() })),
  page('docs/cli.md', () => ({ help: cliHelp() })),
  page('docs/rights.md', () => ({ rights: table(rightsRows(deployedRights())) })),
];
