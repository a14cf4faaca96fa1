import { regressionSchema, trendSchema } from '../../../shared/contracts/analytics.ts';
import { apiKeySchema, organisationSchema } from '../../../shared/contracts/auth.ts';
import { paginationSchema } from '../../../shared/contracts/base/common.ts';
import { credentialSchema } from '../../../shared/contracts/base/credentials.ts';
import { caseSchema } from '../../../shared/contracts/cases.ts';
import { byokKeySchema } from '../../../shared/contracts/credentials/byokKeys.ts';
import { trustedIssuerSchema } from '../../../shared/contracts/credentials/trustedIssuers.ts';
import {
  definedCaseSchema,
  definedScorerSchema,
  definitionSchema,
} from '../../../shared/contracts/definitions.ts';
import {
  barDifferenceSchema,
  changeEntrySchema,
  judgedBarSchema,
  suiteBarSchema,
} from '../../../shared/contracts/history/history.ts';
import { outputItemSchema } from '../../../shared/contracts/outputs.ts';
import { projectSchema } from '../../../shared/contracts/projects.ts';
import { runResultSchema } from '../../../shared/contracts/results/results.ts';
import { shownRunSchema } from '../../../shared/contracts/runs.ts';
import { scorerSchema } from '../../../shared/contracts/scorers.ts';
import { shownSuiteSchema } from '../../../shared/contracts/suites.ts';
import { templateSchema } from '../../../shared/contracts/templates.ts';

/** The objects that several endpoints answer: each is a component. */
export const OBJECTS = {
  projectSchema,
  suiteSchema: shownSuiteSchema,
  caseSchema,
  scorerSchema,
  definitionSchema,
  definedScorerSchema,
  definedCaseSchema,
  runSchema: shownRunSchema,
  runResultSchema,
  outputItemSchema,
  templateSchema,
  trendSchema,
  regressionSchema,
  organisationSchema,
  apiKeySchema,
  byokKeySchema,
  trustedIssuerSchema,
  judgedBarSchema,
  suiteBarSchema,
  barDifferenceSchema,
  changeEntrySchema,
  credentialSchema,
  paginationSchema,
};
