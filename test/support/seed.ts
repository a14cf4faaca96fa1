import fc from 'fast-check';

/** Property tests try the same values on every machine; another seed tries others. */
fc.configureGlobal({ seed: Number(process.env.EVALGATE_PROPERTY_SEED ?? 1) });
