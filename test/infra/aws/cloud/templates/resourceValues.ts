import { createHash } from 'node:crypto';

/** The account, region, stack and name of a resource. */
export interface Place {
  readonly region: string;
  readonly account: string;
  readonly stack: string;
  readonly logicalId: string;
  /** What queues' URLs begin with. */
  readonly queueBaseUrl: string;
  /** The name that a property gives it, if any. */
  readonly nameGiven: (property: string) => string | undefined;
}

/** The values of a created resource by attribute, and of `Ref`. */
export type Values = Readonly<Record<string, string>>;

export function valuesOf(type: string, place: Place): Values {
  const values = TYPES[type];
  if (values === undefined) throw new Error(`Say in resourceValues.ts what a reference to ${type} gives`);
  return values(place);
}

const hashOf = ({ stack, logicalId }: Place): string =>
  createHash('sha256').update(`${stack}/${logicalId}`).digest('hex');

/** A name in CloudFormation's form: stack, logical id and a random part. */
const nameIn = (place: Place, property: string): string =>
  place.nameGiven(property) ??
  `${place.stack}-${place.logicalId}-${hashOf(place).slice(0, 12).toUpperCase()}`;

const arnIn = ({ region, account }: Place, service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${account}:${resource}`;

const TYPES: Readonly<Record<string, (place: Place) => Values>> = {
  'AWS::DynamoDB::Table'(place) {
    const Ref = nameIn(place, 'TableName');
    return { Ref, Arn: arnIn(place, 'dynamodb', `table/${Ref}`) };
  },
  'AWS::SQS::Queue'(place) {
    const QueueName = nameIn(place, 'QueueName');
    const Ref = `${place.queueBaseUrl}/${place.account}/${QueueName}`;
    return { Ref, QueueName, Arn: arnIn(place, 'sqs', QueueName) };
  },
  'AWS::KMS::Key'(place) {
    const Ref = hashOf(place).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
    return { Ref, Arn: arnIn(place, 'kms', `key/${Ref}`) };
  },
  'AWS::SecretsManager::Secret'(place) {
    const name = `${place.logicalId}-${hashOf(place).slice(0, 12)}`;
    return { Ref: arnIn(place, 'secretsmanager', `secret:${name}-${hashOf(place).slice(-6)}`) };
  },
  'AWS::IAM::Role'(place) {
    const Ref = nameIn(place, 'RoleName');
    return { Ref, Arn: `arn:aws:iam::${place.account}:role/${Ref}` };
  },
  'AWS::Lambda::Function'(place) {
    const Ref = nameIn(place, 'FunctionName');
    return { Ref, Arn: arnIn(place, 'lambda', `function:${Ref}`) };
  },
  'AWS::Logs::LogGroup'(place) {
    const Ref = nameIn(place, 'LogGroupName');
    return { Ref, Arn: arnIn(place, 'logs', `log-group:${Ref}:*`) };
  },
  'AWS::Events::Rule'(place) {
    const Ref = nameIn(place, 'Name');
    return { Ref, Arn: arnIn(place, 'events', `rule/${Ref}`) };
  },
  'AWS::SNS::Topic': (place) => ({ Ref: arnIn(place, 'sns', nameIn(place, 'TopicName')) }),
  'AWS::WAFv2::WebACL'(place) {
    const name = nameIn(place, 'Name');
    const id = hashOf(place).slice(0, 32);
    return { Ref: `${name}|${id}|CLOUDFRONT`, Arn: arnIn(place, 'wafv2', `global/webacl/${name}/${id}`) };
  },
  'AWS::CloudFront::Distribution'(place) {
    const id = hashOf(place).slice(0, 14);
    const Ref = id.toUpperCase();
    const Arn = `arn:aws:cloudfront::${place.account}:distribution/${Ref}`;
    return { Ref, Arn, DomainName: `${id}.cloudfront.net` };
  },
  'AWS::S3::Bucket'(place) {
    const Ref = nameIn(place, 'BucketName').toLowerCase();
    const RegionalDomainName = `${Ref}.s3.${place.region}.amazonaws.com`;
    return { Ref, Arn: `arn:aws:s3:::${Ref}`, RegionalDomainName };
  },
  'AWS::Lambda::LayerVersion': (place) => ({ Ref: arnIn(place, 'lambda', `layer:${place.logicalId}:1`) }),
  'AWS::CloudFront::OriginAccessControl': (place) => ({ Id: hashOf(place).slice(0, 14).toUpperCase() }),
  'AWS::CloudFront::Function'(place) {
    const FunctionARN = `arn:aws:cloudfront::${place.account}:function/${nameIn(place, 'Name')}`;
    return { Ref: FunctionARN, FunctionARN };
  },
  'AWS::CloudFront::ResponseHeadersPolicy': (place) => ({ Ref: hashOf(place).slice(0, 36) }),
  'AWS::ApiGatewayV2::Api': (place) => ({ Ref: hashOf(place).slice(0, 10) }),
  'AWS::ApiGatewayV2::Integration': (place) => ({ Ref: hashOf(place).slice(0, 7) }),
  'AWS::CloudFront::CachePolicy': (place) => ({ Ref: hashOf(place).slice(0, 36) }),
  'AWS::CloudFront::OriginRequestPolicy': (place) => ({ Ref: hashOf(place).slice(0, 36) }),
};
