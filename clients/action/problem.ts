/** The caller has to change something: the message says what. Nothing was judged. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
