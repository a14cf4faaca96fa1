import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundleFunctions } from './bundle/bundle.ts';
import { deploymentOf } from './deployment.ts';
import { environmentOf } from './environments.ts';

/** What `cdk` runs: `cdk deploy --all -c env=dev`. */
const app = new App();
// A finding of AWS's checks that nothing in our code acknowledges fails the synthesis.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const environment = environmentOf(app.node.tryGetContext('env'));
const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-functions-'));
try {
  const bundles = await bundleFunctions(folder);
  deploymentOf(app, environment, (functionId) =>
    Code.fromAsset(bundles.get(functionId)?.folder ?? functionId),
  );
  app.synth();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
