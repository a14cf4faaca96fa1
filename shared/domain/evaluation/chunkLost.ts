import { RetainMessage } from '../messages.ts';

/** Another evaluator took the chunk: the claim of a live holder ran out. */
export class ChunkLost extends RetainMessage {
  constructor() {
    super('Another evaluator took this chunk over');
    this.name = 'ChunkLost';
  }
}
