import * as z from 'zod';

// Compiling a schema pays off after thousands of values, and a command reads a few. Before any schema is made.
z.config({ jitless: true });

/** The bundle of the command line has it in place of zod, so that it comes first. */
export * from 'zod';
