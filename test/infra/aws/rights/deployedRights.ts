import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { deploymentOf } from '../../../../infra/aws/deployment.ts';
import { environments } from '../../../../infra/aws/environments.ts';

interface RoleStatement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Function id to the statements of its role and the names of its variables. */
export type DeployedRights = ReadonlyMap<
  string,
  { readonly statements: readonly RoleStatement[]; readonly variables: readonly string[] }
>;

interface Template {
  readonly Resources: Readonly<Record<string, { Type: string; Properties: Properties }>>;
}
interface Properties {
  readonly Description?: unknown;
  readonly Role?: { 'Fn::GetAtt': readonly [string, string] };
  readonly Environment?: { Variables: Record<string, unknown> };
  readonly Policies?: readonly { PolicyDocument: { Statement: readonly RoleStatement[] } }[];
}

/** Placeholders: only the names of the variables matter. */
const PAYMENTS = {
  pricePro: 'price_pro',
  priceScale: 'price_scale',
  priceProOverage: 'price_pro_overage',
  priceScaleOverage: 'price_scale_overage',
  meterEventName: 'runs',
};

/** Roles and variables of production with payments on, read from its templates. */
export function deployedRights(): DeployedRights {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-rights-'));
  try {
    writeFileSync(path.join(folder, 'stub.mjs'), '');
    const app = new App({ outdir: path.join(folder, 'cdk.out'), analyticsReporting: false });
    deploymentOf(app, { ...environments.prod, payments: PAYMENTS }, () =>
      Code.fromAsset(folder, { exclude: ['cdk.out'] }),
    );
    const templates: Template[] = app.synth().stacks.map(({ template }) => template);
    return new Map(templates.flatMap(rightsIn));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of our functions, without those of the CDK. */
function rightsIn({ Resources }: Template) {
  return Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .flatMap(({ Properties: { Description, Role, Environment } }) => {
      const id = /^functions\/(.*)\.ts$/.exec(String(Description))?.[1];
      if (id === undefined) return [];
      const role = Resources[Role?.['Fn::GetAtt'][0] ?? '']?.Properties;
      const statements = role?.Policies?.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? [];
      return [[id, { statements, variables: Object.keys(Environment?.Variables ?? {}) }] as const];
    });
}
