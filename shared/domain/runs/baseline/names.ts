/** As items name cases. */
export { lengthened, shortened } from '../../../scoring/verdict/kept.ts';
