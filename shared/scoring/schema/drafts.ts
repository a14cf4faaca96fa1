import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Ajv as Draft7, type Options } from 'ajv/dist/ajv.js';
import type AjvCore from 'ajv/dist/core.js';
import draft4 from 'ajv-draft-04';

export type Version = 4 | 6 | 7 | 2019 | 2020;

export interface Draft {
  readonly version: Version;
  readonly name: string;
  readonly metaSchemaId: string;
  open(options: Options): AjvCore.default;
}

const DRAFT_2020: Draft = {
  version: 2020,
  name: '2020-12',
  metaSchemaId: 'https://json-schema.org/draft/2020-12/schema',
  open: (options) => new Ajv2020(options),
};

const DRAFTS = new Map<string, Draft>([
  ['json-schema.org/draft/2020-12/schema', DRAFT_2020],
  [
    'json-schema.org/draft/2019-09/schema',
    {
      version: 2019,
      name: '2019-09',
      metaSchemaId: 'https://json-schema.org/draft/2019-09/schema',
      open: (options) => new Ajv2019(options),
    },
  ],
  ['json-schema.org/draft-07/schema', olderDraft(7)],
  ['json-schema.org/draft-06/schema', olderDraft(6)],
  [
    'json-schema.org/draft-04/schema',
    {
      version: 4,
      name: 'draft-04',
      metaSchemaId: 'http://json-schema.org/draft-04/schema',
      open: (options) => new draft4.default(options),
    },
  ],
]);

/** Draft 07 only added keywords to draft 06, and those are refused in it. */
function olderDraft(version: 6 | 7): Draft {
  return {
    version,
    name: `draft-0${version}`,
    metaSchemaId: 'http://json-schema.org/draft-07/schema',
    open: (options) => new Draft7(options),
  };
}

export const KNOWN_DRAFTS = '2020-12, 2019-09, draft-07, draft-06 or draft-04';

export function draftOf(schema: object): Draft | undefined {
  const named = '$schema' in schema ? schema.$schema : undefined;
  if (named === undefined) return DRAFT_2020;
  if (typeof named !== 'string') return undefined;
  return DRAFTS.get(named.replace(/^https?:\/\//, '').replace(/#$/, ''));
}
