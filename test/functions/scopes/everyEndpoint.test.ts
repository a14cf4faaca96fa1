import { contracts } from '../../../shared/contracts/registry.ts';
import { sharedServiceUrl } from '../../support/api.ts';
import { describeScopes } from '../../support/scopes.ts';

describeScopes(sharedServiceUrl(), contracts);
