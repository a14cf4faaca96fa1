import fc from 'fast-check';

/** Property tests use the same values on every machine, and others with another seed. */
fc.configureGlobal({ seed: Number(process.env.EVALGATE_PROPERTY_SEED ?? 1) });
