import type { AssembledStack } from '../assembly.ts';
import { type Values, valuesOf } from './resourceValues.ts';
import { secretSchema, secretString } from './secrets.ts';
import { deeply, plain } from './texts.ts';

type Properties = Readonly<Record<string, unknown>>;

/** A resource with all references in its properties resolved. */
export interface Resource {
  readonly stack: AssembledStack;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Properties;
  /** The value of an attribute, for references. */
  readonly value: (attribute: string) => string;
}

export interface DeployTarget {
  readonly account: string;
  /** What queues' URLs begin with. */
  readonly queueBaseUrl: string;
  /** What is filled by hand into the fields of secrets. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Other sections could change resources. Parameters and rules are the CDK's check of its bootstrap. */
const SECTIONS = new Set(['Description', 'Resources', 'Outputs', 'Parameters', 'Rules']);
const ATTRIBUTES = new Set(['Type', 'Properties', 'DependsOn', 'DeletionPolicy', 'UpdateReplacePolicy']);
/** A custom resource of the CDK, whose attributes are its imports. */
const READER = 'Custom::CrossRegionExportReader';
const WRITER = 'Custom::CrossRegionExportWriter';

/** Resolves references like CloudFormation. Throws on dangling or unknown ones. */
export class CloudFormation {
  readonly #stacks: readonly AssembledStack[];
  readonly #target: DeployTarget;
  readonly #secrets = new Map<string, string>();

  constructor(stacks: readonly AssembledStack[], target: DeployTarget) {
    this.#stacks = stacks;
    this.#target = target;
  }

  /** Of all stacks; outputs are made as well, since they can fail. */
  resources(): Resource[] {
    for (const stack of this.#stacks) {
      checkNames(stack.name, stack.template, SECTIONS);
      for (const { Value } of Object.values(stack.template.Outputs ?? {})) this.#valueOf(stack, Value);
    }
    return this.#all().map(([stack, logicalId, resource]) => {
      const place = `${stack.name}/${logicalId}`;
      checkNames(place, resource, ATTRIBUTES);
      try {
        return {
          stack,
          logicalId,
          type: resource.Type,
          properties: this.#valueOf(stack, resource.Properties ?? {}) as Properties,
          value: (attribute) => this.#attribute(stack, logicalId, attribute),
        };
      } catch (error) {
        throw new Error(`${place}: ${(error as Error).message}`, { cause: error });
      }
    });
  }

  #all() {
    return this.#stacks.flatMap((stack) =>
      Object.entries(stack.template.Resources).map(([id, resource]) => [stack, id, resource] as const),
    );
  }

  /** References first: the dynamic ones are made of them. */
  #valueOf(stack: AssembledStack, raw: unknown): unknown {
    return deeply(this.#referred(stack, raw), (text) => this.#dynamic(stack, text));
  }

  #referred(stack: AssembledStack, raw: unknown): unknown {
    if (Array.isArray(raw)) return raw.map((item) => this.#referred(stack, item));
    if (typeof raw !== 'object' || raw === null) return raw;
    const entries = Object.entries(raw);
    const [[name, argument] = ['', undefined]] = entries;
    if (name === 'Ref' || name.startsWith('Fn::')) return this.#intrinsic(stack, name, argument);
    return Object.fromEntries(entries.map(([key, item]) => [key, this.#referred(stack, item)]));
  }

  #intrinsic(stack: AssembledStack, name: string, argument: unknown): unknown {
    const value = Array.isArray(argument) ? argument : [argument];
    switch (name) {
      case 'Ref':
        return this.#ref(stack, String(argument));
      case 'Fn::GetAtt':
        return this.#attribute(stack, String(value[0]), String(value[1]));
      case 'Fn::ImportValue':
        return this.#import(stack, this.#referred(stack, argument));
      case 'Fn::Join':
        return (this.#referred(stack, value[1]) as unknown[]).map(plain).join(String(value[0]));
      case 'Fn::Sub':
        return plain(argument).replaceAll(/\$\{([^}]*)\}/g, (_, id: string) => this.#ref(stack, id));
      default:
        throw new Error(`Say in cloudFormation.ts what ${name} means`);
    }
  }

  #ref(stack: AssembledStack, id: string): string {
    const pseudo: Readonly<Record<string, string>> = {
      'AWS::Region': stack.region,
      'AWS::AccountId': this.#target.account,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
    };
    return pseudo[id] ?? this.#attribute(stack, id, 'Ref');
  }

  #attribute(stack: AssembledStack, logicalId: string, attribute: string): string {
    const resource = stack.template.Resources[logicalId];
    if (resource === undefined) throw new Error(`${stack.name} has no resource ${logicalId}`);
    const { Type, Properties = {} } = resource;
    const values = Type === READER ? this.#imports(stack, Properties) : this.#values(stack, logicalId);
    const value = values[attribute];
    if (value === undefined) throw new Error(`${Type} has no attribute ${attribute} (${logicalId})`);
    return value;
  }

  #values(stack: AssembledStack, logicalId: string): Values {
    const { Type = '', Properties = {} } = stack.template.Resources[logicalId] ?? {};
    const nameGiven = (property: string) =>
      property in Properties ? plain(this.#valueOf(stack, Properties[property])) : undefined;
    const { account, queueBaseUrl } = this.#target;
    const { name, region } = stack;
    return valuesOf(Type, { account, queueBaseUrl, region, stack: name, logicalId, nameGiven });
  }

  #imports(stack: AssembledStack, { ReaderProps }: Properties): Values {
    return (this.#valueOf(stack, ReaderProps) as { imports: Values }).imports;
  }

  /** Exports are a region's own. */
  #import({ region }: AssembledStack, name: unknown): unknown {
    for (const stack of this.#stacks.filter((candidate) => candidate.region === region)) {
      for (const { Export, Value } of Object.values(stack.template.Outputs ?? {})) {
        if (Export !== undefined && this.#referred(stack, Export.Name) === name)
          return this.#referred(stack, Value);
      }
    }
    throw new Error(`Nothing in ${region} exports ${name}`);
  }

  #dynamic({ region }: AssembledStack, text: string): string {
    return text.replaceAll(/\{\{resolve:(.*?)\}\}/g, (reference, what: string) => {
      const [, arn, field] = /^secretsmanager:(.+):SecretString:(\w*)::$/.exec(what) ?? [];
      if (arn !== undefined) return this.#secret(region, arn, field ?? '');
      const [, name] = /^ssm:(.+)$/.exec(what) ?? [];
      if (name !== undefined) return this.#parameter(region, name);
      throw new Error(`Say in cloudFormation.ts what ${reference} means`);
    });
  }

  #secret(region: string, arn: string, field: string): string {
    const found = this.#all().find(
      ([stack, id, { Type }]) =>
        stack.region === region &&
        Type === 'AWS::SecretsManager::Secret' &&
        this.#values(stack, id).Ref === arn,
    );
    if (found === undefined) throw new Error(`There is no secret ${arn} in ${region}`);
    const made = () => secretString(secretSchema.parse(found[2].Properties), this.#target.secrets);
    const text = this.#secrets.get(arn) ?? made();
    this.#secrets.set(arn, text);
    const value = field === '' ? text : JSON.parse(text)[field];
    if (value === undefined) throw new Error(`The secret ${arn} has no field ${field}`);
    return value;
  }

  /** What the CDK writes into another region's parameters. */
  #parameter(region: string, name: string): string {
    for (const [stack, , { Type, Properties = {} }] of this.#all()) {
      if (Type !== WRITER) continue;
      const written = this.#referred(stack, Properties.WriterProps) as { region: string; exports: Values };
      const value = written.exports[name];
      if (written.region === region && value !== undefined) return value;
    }
    throw new Error(`There is no parameter ${name} in ${region}`);
  }
}

function checkNames(place: string, of: object, known: ReadonlySet<string>): void {
  const unknown = Object.keys(of).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`${place}: say in cloudFormation.ts what ${unknown} means`);
}
