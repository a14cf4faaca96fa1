/** An error answer in Stripe's shape. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number;
  readonly #fields: { readonly code?: string; readonly param?: string };

  constructor(
    status: number,
    message: string,
    fields: { readonly code?: string; readonly param?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.#fields = fields;
  }

  toBody(): object {
    const type = this.status < 500 ? 'invalid_request_error' : 'api_error';
    return { error: { type, message: this.message, ...this.#fields } };
  }
}

/** 404 for an id in the path; 400 for an id in the parameter `param`. */
export function noSuch(kind: string, id: string, param?: string): ProviderError {
  const fields = { code: 'resource_missing', param: param ?? 'id' };
  return new ProviderError(param === undefined ? 404 : 400, `No such ${kind}: '${id}'`, fields);
}
