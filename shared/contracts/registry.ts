import { listRegressions, listTrends } from './analytics.ts';
import { signUp, whoAmI } from './auth.ts';
import type { Contract } from './base/contract.ts';
import { routeNotFound } from './base/fallback.ts';
import { getHealth } from './base/health.ts';
import { createCheckout, createPortal, getUsage, receiveWebhook, showCheckoutResult } from './billing.ts';
import { createCase, deleteCase, getCase, listCases, reorderCases, updateCase } from './cases.ts';
import { createApiKey, deleteApiKey, listApiKeys } from './credentials/apiKeys.ts';
import { createByokKey, deleteByokKey, listByokKeys, testByokKey } from './credentials/byokKeys.ts';
import { createToken, getJwks } from './credentials/tokens.ts';
import {
  createTrustedRepository,
  deleteTrustedRepository,
  listTrustedRepositories,
} from './credentials/trustedRepositories.ts';
import { putDefinition } from './definitionPushes.ts';
import { getDefinition } from './definitions.ts';
import { createProject, deleteProject, getProject, listProjects, updateProject } from './projects.ts';
import { createRun, getRun, listRunResults, listRuns } from './runs.ts';
import { createScorer, deleteScorer, getScorer, listScorers, updateScorer } from './scorers.ts';
import {
  createSuite,
  createSuiteFromTemplate,
  deleteSuite,
  getRevision,
  getSuite,
  getSuiteById,
  listSuites,
  updateSuite,
} from './suites.ts';
import { getTemplate, listTemplates } from './templates.ts';

/** Every endpoint: the routers, the deployment and the security tests use this list. */
export const contracts: readonly Contract[] = [
  getHealth,
  signUp,
  createToken,
  whoAmI,
  getJwks,
  listApiKeys,
  createApiKey,
  deleteApiKey,
  listTrustedRepositories,
  createTrustedRepository,
  deleteTrustedRepository,
  listProjects,
  createProject,
  getProject,
  updateProject,
  deleteProject,
  listSuites,
  createSuite,
  createSuiteFromTemplate,
  getSuite,
  getSuiteById,
  getRevision,
  updateSuite,
  deleteSuite,
  getDefinition,
  putDefinition,
  listCases,
  createCase,
  getCase,
  updateCase,
  deleteCase,
  reorderCases,
  listScorers,
  createScorer,
  getScorer,
  updateScorer,
  deleteScorer,
  listByokKeys,
  createByokKey,
  testByokKey,
  deleteByokKey,
  listTemplates,
  getTemplate,
  createRun,
  getRun,
  listRunResults,
  listRuns,
  listTrends,
  listRegressions,
  getUsage,
  createCheckout,
  showCheckoutResult,
  createPortal,
  receiveWebhook,
  routeNotFound,
];
