import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_HINTS } from '../shared/contracts/base/errors.ts';
import { openApiDocument } from './api/document.ts';
import { describeOperations } from './api/operations.ts';
import { printOperations, printResources, printTypes } from './api/printTypescript.ts';
import { ROOT } from './bundle/root.ts';
import { jsonSchemas } from './files/check/editorSchemas.ts';
import { gateWordsFile } from './gateWords.ts';

export interface GeneratedFile {
  /** From the repository's root. */
  readonly file: string;
  readonly text: string;
}

const readManifest = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

const PACKAGE = 'clients/npm/package.json';

/** What is published says the version, words and licence of the repository; the rest of its manifest is written by hand. */
function manifestOfPackage(): GeneratedFile {
  const { version, description, license } = readManifest('package.json');
  const manifest = { ...readManifest(PACKAGE), version, description, license };
  return { file: PACKAGE, text: `${JSON.stringify(manifest, null, 2)}\n` };
}

/** As source text: clients know the contracts by what is generated of them. */
const printHints = (): string => `// Written by \`npm run clients\` from shared/contracts/base/errors.ts.

/** What a person does about an error, by its code. */
export const ERROR_HINTS: Readonly<Record<string, string>> = ${JSON.stringify(ERROR_HINTS, null, 2)};
`;

/** What is generated for clients. It is committed, and a test compares it. */
export function generatedFiles(): GeneratedFile[] {
  const document = openApiDocument();
  const described = describeOperations(document);
  return [
    { file: 'clients/pages/openapi.json', text: `${JSON.stringify(document, null, 1)}\n` },
    {
      file: 'clients/sdk/generated/operations.ts',
      text: printOperations(described, readManifest('package.json').version),
    },
    { file: 'clients/sdk/generated/resources.ts', text: printResources(described) },
    { file: 'clients/sdk/generated/types.ts', text: printTypes(described) },
    { file: 'clients/sdk/generated/errorHints.ts', text: printHints() },
    gateWordsFile(),
    ...jsonSchemas().map(({ name, schema }) => ({
      file: `clients/pages/schema/${name}`,
      text: `${JSON.stringify(schema, null, 2)}\n`,
    })),
    manifestOfPackage(),
  ];
}
