import type { Limits, ReadText } from '../disk/readText.ts';
import { Repository } from '../disk/repository.ts';

/** A repository in which some files have other texts than on the disk: what would be written can be read first. */
export class Drafts extends Repository {
  readonly texts = new Map<string, string>();

  override read(name: string, limits: Limits): ReadText {
    const text = this.texts.get(name);
    return text === undefined ? super.read(name, limits) : within(text, limits);
  }

  override readNamed(from: string, reference: string, limits: Limits): ReadText & { readonly name: string } {
    const read = super.readNamed(from, reference, limits);
    const text = this.texts.get(read.name);
    return text === undefined || 'why' in read ? read : { name: read.name, ...within(text, limits) };
  }
}

/** As if it had been written and read. */
function within(text: string, { bytesMax, shown }: Limits): ReadText {
  if (Buffer.byteLength(text) > bytesMax) return { why: `is too large: at most ${shown}` };
  if (text.includes('\0')) return { why: 'holds NUL characters' };
  if (!text.isWellFormed() || text.startsWith('\ufeff')) return { why: 'would be read as another text' };
  return { text };
}
