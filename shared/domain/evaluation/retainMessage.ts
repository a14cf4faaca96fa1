/** Tells the queue to deliver the message again later. */
export class RetainMessage extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'RetainMessage';
  }
}

/** Somebody else took the chunk, its holder's claim having run out while it lived. */
export class ChunkLost extends RetainMessage {
  constructor() {
    super('Another evaluator took this chunk over');
    this.name = 'ChunkLost';
  }
}
