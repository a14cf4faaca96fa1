import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { BucketDeployment, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type MadePage, PAGE_FILES, type PageFile } from '../../../clients/pages/files.ts';
import type { Environment } from '../environments.ts';
import { PAGE_HEADERS_OF_EDGE } from '../pageHeaders.ts';
import { writeLogs } from './serviceFunction.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** CloudFront compresses only what it may keep. */
const KEPT_SECONDS = 1;

/** `/docs` is the object `docs`. */
const keyOf = ({ path: servedAt }: Pick<(typeof PAGE_FILES)[number], 'path'>): string => servedAt.slice(1);

/** The files that are served as they are: in a private bucket, which the edge alone may read. */
export class Pages extends Construct {
  /** How the edge serves them, by path. */
  readonly behaviors: Readonly<Record<string, BehaviorOptions>>;

  constructor(scope: Construct, environment: Environment, logGroup: ILogGroup) {
    super(scope, 'Pages');
    const bucket = this.#bucket(environment);
    this.#upload(bucket, logGroup);
    const behavior: BehaviorOptions = {
      origin: S3BucketOrigin.withOriginAccessControl(bucket),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      cachePolicy: this.#keptASecond(),
      responseHeadersPolicy: new ResponseHeadersPolicy(this, 'Headers', PAGE_HEADERS_OF_EDGE),
    };
    this.behaviors = Object.fromEntries(PAGE_FILES.map((page) => [page.path, behavior]));
  }

  #bucket({ keepsData }: Environment): IBucket {
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      // CloudFormation deletes only empty buckets.
      autoDeleteObjects: !keepsData,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds what anybody may read, and the edge alone reads it.',
    });
    // The CDK's own types disagree about what is optional.
    return bucket as IBucket;
  }

  #keptASecond(): CachePolicy {
    const kept = Duration.seconds(KEPT_SECONDS);
    return new CachePolicy(this, 'KeptASecond', {
      minTtl: kept,
      defaultTtl: kept,
      maxTtl: kept,
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
    });
  }

  /** The CDK's own function copies them. A deployment gives all its files one type, so that each has its own. */
  #upload(bucket: IBucket, logGroup: ILogGroup): void {
    const asset = this.#asset();
    const role = new Role(this, 'UploadRole', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        rights: new PolicyDocument({
          statements: [
            writeLogs(logGroup),
            allow('s3:GetObject', asset.bucket.arnForObjects(asset.s3ObjectKey)),
            allow('s3:ListBucket', bucket.bucketArn),
            allow('s3:PutObject', ...PAGE_FILES.map((page) => bucket.arnForObjects(keyOf(page)))),
          ],
        }),
      },
    });
    for (const page of PAGE_FILES) {
      new BucketDeployment(this, `Upload${keyOf(page)}`, {
        sources: [Source.bucket(asset.bucket, asset.s3ObjectKey)],
        destinationBucket: bucket,
        exclude: ['*'],
        include: [keyOf(page)],
        contentType: page.type,
        // It would delete the others' files.
        prune: false,
        // By itself it takes rights with wildcards.
        role: role.withoutPolicyUpdates(),
        logGroup,
      });
    }
    this.#explainCopier();
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
  #asset(): Asset {
    const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-pages-'));
    try {
      for (const page of PAGE_FILES) {
        const object = path.join(folder, keyOf(page));
        mkdirSync(path.dirname(object), { recursive: true });
        writeFileSync(object, bodyOf(page));
      }
      return new Asset(this, 'Files', { path: folder });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** What was made once is the same for every environment. */
const made = new Map<string, Buffer>();

function bodyOf(page: PageFile | MadePage): Buffer {
  if ('file' in page) return readFileSync(path.join(ROOT, 'clients/pages', page.file));
  const body = made.get(page.madeBy) ?? make(page);
  made.set(page.madeBy, body);
  return body;
}

const make = ({ madeBy }: MadePage): Buffer =>
  execFileSync(process.execPath, [path.join(ROOT, madeBy)], { maxBuffer: 50_000_000 });

const allow = (action: string, ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions: [action], resources });
