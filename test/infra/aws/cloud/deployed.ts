/** A deployment with all references of its templates resolved. */
export interface Deployed {
  readonly region: string;
  readonly account: string;
  /** By id: `projects/create`. */
  readonly functions: ReadonlyMap<string, DeployedFunction>;
  /** Function ids by route key: `GET /v1/projects/{slug}`, and `$default`. */
  readonly routes: ReadonlyMap<string, string>;
  readonly table: Named;
  readonly queues: readonly DeployedQueue[];
  readonly keys: readonly DeployedKey[];
  readonly eventSources: readonly DeployedEventSource[];
  readonly schedules: readonly DeployedSchedule[];
  readonly edge: DeployedEdge;
}

export interface Named {
  readonly name: string;
  readonly arn: string;
}

export interface DeployedFunction extends Named {
  readonly id: string;
  /** Holds the synthesised asset: the files that would be uploaded. */
  readonly folder: string;
  /** `projects-create.handler`. */
  readonly handler: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  readonly statements: readonly Statement[];
}

/** A statement of a role, limited to the forms in use: Allow, named actions, ARNs, and policy.ts's conditions. */
export interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly condition: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export interface DeployedQueue extends Named {
  readonly visibilityTimeoutSeconds: number;
  readonly redrive: { readonly deadLettersArn: string; readonly maxReceiveCount: number } | undefined;
}

export interface DeployedKey {
  readonly arn: string;
  readonly usage: 'ENCRYPT_DECRYPT' | 'SIGN_VERIFY';
  readonly spec: 'SYMMETRIC_DEFAULT' | 'RSA_2048' | 'ECC_NIST_P256';
}

export interface DeployedEventSource {
  readonly functionId: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly invocationsMax: number;
}

export interface DeployedSchedule {
  readonly functionId: string;
  readonly isOn: boolean;
  /** What the function gets in place of EventBridge's own event. */
  readonly input: unknown;
}

/** What the edge answers without the API. */
export interface EdgeAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded?: true;
}

/** Headers that CloudFront adds, and headers (lower case) and cookies of viewers that it forwards. */
export interface DeployedEdge {
  readonly headers: Readonly<Record<string, string>>;
  readonly forwardedHeaders: readonly string[];
  readonly forwardedCookies: readonly string[];
  /** Paths, and patterns of them, for which there is a behaviour beside the API's. */
  readonly patterns: readonly string[];
  /** Undefined for what goes to the API. */
  answer(method: string, path: string): EdgeAnswer | undefined;
}
