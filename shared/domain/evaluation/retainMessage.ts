/** Tells the queue to deliver the message again later. */
export class RetainMessage extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'RetainMessage';
  }
}
