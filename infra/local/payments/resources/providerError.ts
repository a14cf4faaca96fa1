/** An error answer in Stripe's shape. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number;
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error';
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(
    status: number,
    message: string,
    {
      type = 'invalid_request_error',
      code,
      param,
    }: Partial<Pick<ProviderError, 'type' | 'code' | 'param'>> = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
  }

  toBody(): object {
    const { type, code, message, param } = this;
    return { error: { type, code, message, param } };
  }
}

/** 404 for an id in the path; 400 for an id in the parameter `param`. */
export function noSuch(kind: string, id: string, param?: string): ProviderError {
  return new ProviderError(param === undefined ? 404 : 400, `No such ${kind}: '${id}'`, {
    code: 'resource_missing',
    param: param ?? 'id',
  });
}

export function invalidParameter(param: string, message: string): ProviderError {
  return new ProviderError(400, message, { param });
}
