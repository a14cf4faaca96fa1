import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { type CfnElement, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type BucketFiles, isAsset, type Upload } from '../bucketFiles.ts';
import { writeLogs } from './serviceFunction.ts';

interface Target {
  readonly bucket: IBucket;
  readonly logGroup: ILogGroup;
}

/** All objects that an upload may write. */
const rightOf = (upload: Upload): string => (isAsset(upload) ? 'assets/*' : upload.include);

/** Copies files into a bucket, and deletes none there: open tabs may load what an earlier deployment brought. */
export class Uploads extends Construct {
  constructor(scope: Construct, { files, uploads }: BucketFiles, target: Target) {
    super(scope, 'Uploads');
    const asset = this.#asset(files);
    const role = this.#role(asset, [...new Set(uploads.map(rightOf))], target);
    const resourceOf = (upload: Upload): Construct => {
      const { include, type, cacheControl } = upload;
      const deployment = new BucketDeployment(this, include, {
        sources: [Source.bucket(asset.bucket, asset.s3ObjectKey)],
        destinationBucket: target.bucket,
        exclude: ['*'],
        include: [include],
        contentType: type,
        ...(cacheControl && { cacheControl: [CacheControl.fromString(cacheControl)] }),
        prune: false,
        // By itself it takes rights with wildcards.
        role: role.withoutPolicyUpdates(),
        logGroup: target.logGroup,
      });
      return deployment.node.findChild('CustomResource') as Construct;
    };
    // A page comes after what it loads.
    const [assets = [], pages = []] = [true, false].map((first) =>
      uploads.filter((upload) => isAsset(upload) === first).map(resourceOf),
    );
    for (const page of pages) page.node.addDependency(...assets);
    this.#explainCopier();
  }

  /** The CDK's own function copies them. */
  #role(asset: Asset, keys: readonly string[], { bucket, logGroup }: Target): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        rights: new PolicyDocument({
          statements: [
            writeLogs(logGroup),
            allow('s3:GetObject', asset.bucket.arnForObjects(asset.s3ObjectKey)),
            allow('s3:ListBucket', bucket.bucketArn),
            allow('s3:PutObject', ...keys.map((key) => bucket.arnForObjects(key))),
          ],
        }),
      },
    });
    for (const key of keys.filter((one) => one.includes('*'))) {
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${Stack.of(this).getLogicalId(bucket.node.defaultChild as CfnElement)}.Arn>/${key}]`,
        reason:
          'Names of assets change by deployment, and a right that changes is in force only after a while.',
      });
    }
    return role;
  }

  #explainCopier(): void {
    const { children } = Stack.of(this).node;
    for (const copier of children.filter(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment'))) {
      Validations.of(copier).acknowledge({
        id: 'AwsSolutions-L1',
        reason: 'The function is the CDK’s own, and so is the choice of its runtime.',
      });
    }
  }

  /** The files under the names of their objects. */
  #asset(files: BucketFiles['files']): Asset {
    const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-pages-'));
    try {
      for (const { key, body } of files) {
        const object = path.join(folder, key);
        mkdirSync(path.dirname(object), { recursive: true });
        writeFileSync(object, body);
      }
      return new Asset(this, 'Files', { path: folder });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

const allow = (action: string, ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions: [action], resources });
