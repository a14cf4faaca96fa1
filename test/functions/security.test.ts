import { contracts } from '../../shared/contracts/registry.ts';
import { sharedServiceUrl } from '../support/api.ts';
import { describeSecurity } from '../support/security.ts';

describeSecurity(sharedServiceUrl(), contracts);
