import { benchOf } from './registry.ts';
import type { Size } from './result.ts';

/** Runs one bench in this process. The process ends with the bench or with its parent. */
process.once('disconnect', () => process.exit(1));
const [name = '', size] = process.argv.slice(2);
const bench = await benchOf(name);
const rows = await bench(size as Size);
process.send?.(rows, () => process.exit());
