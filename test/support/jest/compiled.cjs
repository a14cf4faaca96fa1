const vm = require('node:vm');

/** By file: what V8 needs to compile the same text again in another test file. */
const compiled = new Map();

/** Compiles the modules of a file once a process, though each test file has its own. */
class CompiledModule extends vm.SourceTextModule {
  constructor(code, options) {
    const known = compiled.get(options.identifier);
    const isKnown = known?.code === code;
    super(code, isKnown ? { ...options, cachedData: known.data } : options);
    if (!isKnown) compiled.set(options.identifier, { code, data: this.createCachedData() });
  }
}

function compileOnce() {
  vm.SourceTextModule = CompiledModule;
}

/** Jest's cache of transformed files is one test file's own. */
function transformOnce(cache) {
  const transform = cache.transform.bind(cache);
  cache.transform = (file, options) => {
    if (options?.isInternalModule) return transform(file, options);
    const key = `${file} ${options?.supportsStaticESM}`;
    const known = transformed.get(key);
    if (known === undefined) {
      const code = transform(file, options);
      transformed.set(key, { result: cache.transforms.get(file), map: cache.sourceMaps.get(file) });
      return code;
    }
    cache.transforms.set(file, known.result);
    if (known.map !== undefined) cache.sourceMaps.set(file, known.map);
    return known.result.code;
  };
}

const transformed = new Map();

module.exports = { compileOnce, transformOnce };
