/** The commands that ask the service. They are loaded together: each file more takes a start half a millisecond. */
export { login, logout, signup, whoami } from './account.ts';
export { regressions, trends } from './analytics.ts';
export { api } from './api.ts';
export { addByokKey, listByokKeys, testByokKey } from './byok.ts';
export { doctor } from './doctor/doctor.ts';
export { open } from './open.ts';
export { results } from './results.ts';
export { run } from './run.ts';
export { runs } from './runs.ts';
export { trust } from './trust.ts';
export { wait } from './wait.ts';
