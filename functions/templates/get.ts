import { getTemplate } from '../../shared/contracts/templates.ts';
import { notFound } from '../../shared/domain/errors.ts';
import { templates } from '../../shared/domain/templates/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(getTemplate, {
  handle: async ({ params }) => {
    const template = templates.find(({ slug }) => slug === params.slug);
    if (template === undefined) throw notFound('template');
    return { status: 200, body: { data: template } };
  },
});
