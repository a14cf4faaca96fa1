import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  type IOrigin,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { OriginGroup, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { APP_ASSETS, APP_PATHS } from '../../../clients/pages/app.ts';
import { PAGE_FILES } from '../../../clients/pages/files.ts';
import { APP_FUNCTION } from '../appFunction.ts';
import { appFiles, pageFiles } from '../bucketFiles.ts';
import type { Environment } from '../environments.ts';
import { APP_HEADERS_OF_EDGE, PAGE_HEADERS_OF_EDGE } from '../pageHeaders.ts';
import { Uploads } from './uploads.ts';

/** CloudFront compresses only what it may keep. */
const KEPT_SECONDS = 1;

/** The files that are served as they are: in a private bucket, which the edge alone may read. */
export class Pages extends Construct {
  /** How the edge serves them, by path. */
  readonly behaviors: Readonly<Record<string, BehaviorOptions>>;

  constructor(
    scope: Construct,
    environment: Environment,
    { api, logGroup }: { readonly api: IOrigin; readonly logGroup: ILogGroup },
  ) {
    super(scope, 'Pages');
    const bucket = this.#bucket(environment);
    const { signUp, payments, signInOrganisation } = environment;
    const pages = pageFiles();
    const app = appFiles({
      sign_up: signUp,
      payments: payments === undefined ? 'off' : 'on',
      sign_in_organisation: signInOrganisation,
    });
    const all = { files: [...pages.files, ...app.files], uploads: [...pages.uploads, ...app.uploads] };
    new Uploads(this, all, { bucket, logGroup });
    const page: BehaviorOptions = {
      origin: S3BucketOrigin.withOriginAccessControl(bucket),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      cachePolicy: this.#keptASecond(),
      responseHeadersPolicy: new ResponseHeadersPolicy(this, 'Headers', PAGE_HEADERS_OF_EDGE),
    };
    this.behaviors = {
      ...Object.fromEntries(PAGE_FILES.map(({ path }) => [path, page])),
      ...this.#ofApp(page, api),
    };
  }

  #ofApp(page: BehaviorOptions, api: IOrigin): Readonly<Record<string, BehaviorOptions>> {
    const ofApp: BehaviorOptions = {
      ...page,
      responseHeadersPolicy: new ResponseHeadersPolicy(this, 'AppHeaders', APP_HEADERS_OF_EDGE),
    };
    const answering = new EdgeFunction(this, 'AppFunction', {
      code: FunctionCode.fromInline(APP_FUNCTION),
      runtime: FunctionRuntime.JS_2_0,
    });
    const ofPage: BehaviorOptions = {
      ...ofApp,
      // The function answers all methods but two: none of the others reaches the bucket.
      allowedMethods: AllowedMethods.ALLOW_ALL,
      functionAssociations: [{ function: answering, eventType: FunctionEventType.VIEWER_REQUEST }],
    };
    const ofAsset: BehaviorOptions = {
      ...ofApp,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      // The bucket's own answer for what it lacks is XML, and the API's is that of every unknown path.
      origin: new OriginGroup({
        primaryOrigin: page.origin,
        fallbackOrigin: api,
        fallbackStatusCodes: [403, 404],
      }),
    };
    return Object.fromEntries(APP_PATHS.map((path) => [path, path === APP_ASSETS ? ofAsset : ofPage]));
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
}
