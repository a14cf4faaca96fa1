/** In a job of another event evalgate.yaml may have come with a fork's artifact. */
export { isOwnEvent } from '../../../shared/contracts/base/ownEvents.ts';
