import { analyticsContracts } from './analytics.ts';
import { signUp, whoAmI } from './auth.ts';
import type { Contract } from './base/contract.ts';
import { routeNotFound } from './base/fallback.ts';
import { getHealth } from './base/health.ts';
import { baselineContracts } from './baseline/baselines.ts';
import { getComparison } from './baseline/comparisons.ts';
import { waiverContracts } from './baseline/waivers.ts';
import { billingContracts } from './billing.ts';
import { caseContracts } from './cases.ts';
import { apiKeyContracts } from './credentials/apiKeys.ts';
import { byokKeyContracts } from './credentials/byokKeys.ts';
import { createSession, deleteSession } from './credentials/sessions.ts';
import { signInContracts } from './credentials/signIn.ts';
import { createToken, getJwks } from './credentials/tokens.ts';
import { trustedIssuerContracts } from './credentials/trustedIssuers.ts';
import { putDefinition } from './definitionPushes.ts';
import { getDefinition } from './definitions.ts';
import { historyContracts } from './history/history.ts';
import { judgeCheckContracts } from './judgeChecks.ts';
import { organisationContracts } from './organisation.ts';
import { projectContracts } from './projects.ts';
import { getCaseHistory } from './results/caseHistory.ts';
import { listRunResults } from './results/results.ts';
import { tryScorer } from './results/scorerTrials.ts';
import { trySuite } from './results/suiteTrials.ts';
import { runContracts } from './runs.ts';
import { scorerContracts } from './scorers.ts';
import { statementContracts } from './statements.ts';
import { suiteContracts } from './suites.ts';
import { templateContracts } from './templates.ts';

/** Every endpoint, by the lists of its files: the routers, the deployment and the security tests use this list. */
export const contracts: readonly Contract[] = [
  getHealth,
  signUp,
  createToken,
  createSession,
  deleteSession,
  whoAmI,
  getJwks,
  ...organisationContracts,
  ...apiKeyContracts,
  ...trustedIssuerContracts,
  ...signInContracts,
  ...projectContracts,
  ...suiteContracts,
  trySuite,
  getDefinition,
  putDefinition,
  ...caseContracts,
  ...judgeCheckContracts,
  getCaseHistory,
  ...scorerContracts,
  tryScorer,
  ...historyContracts,
  ...byokKeyContracts,
  ...templateContracts,
  ...runContracts,
  ...statementContracts,
  listRunResults,
  ...baselineContracts,
  getComparison,
  ...waiverContracts,
  ...analyticsContracts,
  ...billingContracts,
  routeNotFound,
];
