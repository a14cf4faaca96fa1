import { RetainMessage } from '../messages.ts';

/** Somebody else took the chunk, its holder's claim having run out while it lived. */
export class ChunkLost extends RetainMessage {
  constructor() {
    super('Another evaluator took this chunk over');
    this.name = 'ChunkLost';
  }
}
