import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { deployedRights } from './deployedRights.ts';
import { endpointsDocument } from './endpointsDocument.ts';

writeFileSync(
  path.resolve(import.meta.dirname, '../../../docs/endpoints.md'),
  endpointsDocument(deployedRights()),
);
