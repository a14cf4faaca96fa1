import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { AssetManifestArtifact, type CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { deploymentOf } from '../../../../infra/aws/deployment.ts';
import type { Environment } from '../../../../infra/aws/environments.ts';
import { REPOSITORY_DIR } from '../../../support/processes.ts';
import { sharedBundles } from '../../../support/sharedBundles.ts';

/** The input of AWS for `cdk deploy`: templates and their files. */
export interface Assembly {
  readonly region: string;
  readonly stacks: readonly AssembledStack[];
  remove(): void;
}

export interface AssembledStack {
  readonly name: string;
  readonly region: string;
  readonly template: Template;
  /** Folders by the key of the object that they are uploaded as: `<hash>.zip`. */
  readonly assets: ReadonlyMap<string, string>;
}

interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, Output>>;
}
interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}
interface Output {
  readonly Value: unknown;
  readonly Export?: { readonly Name: unknown };
}

/** Like infra/aws/app.ts, with the functions' real bundles. */
export async function assemble(environment: Environment): Promise<Assembly> {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-assembly-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const bundles = await sharedBundles();
    const { context } = JSON.parse(readFileSync(path.join(REPOSITORY_DIR, 'cdk.json'), 'utf8'));
    const app = new App({ context, outdir: path.join(folder, 'cdk.out'), analyticsReporting: false });
    deploymentOf(app, environment, (id) => Code.fromAsset(bundles.get(id)?.folder ?? id));
    const { stacks } = app.synth();
    return { region: environment.region, stacks: stacks.map(assembledStack), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

const assembledStack = (stack: CloudFormationStackArtifact): AssembledStack => ({
  name: stack.stackName,
  region: stack.environment.region,
  template: stack.template,
  assets: new Map(stack.dependencies.filter(AssetManifestArtifact.isAssetManifestArtifact).flatMap(assetsOf)),
});

const assetsOf = ({ file, contents: { files = {} } }: AssetManifestArtifact) =>
  Object.values(files).flatMap(({ source, destinations }) =>
    Object.values(destinations).map(
      ({ objectKey }) => [objectKey, path.resolve(path.dirname(file), source.path ?? '')] as const,
    ),
  );
