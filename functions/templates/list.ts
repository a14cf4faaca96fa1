import { listTemplates } from '../../shared/contracts/templates.ts';
import { templates } from '../../shared/domain/templates/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(listTemplates, {
  handle: async () => ({ status: 200, body: { data: [...templates] } }),
});
