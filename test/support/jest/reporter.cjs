const { DefaultReporter } = require('@jest/reporters');

const PROGRESS_EVERY = 25;

/** In runs of many files the passing ones are counted and not listed, so that failures are easy to find. */
class QuietReporter extends DefaultReporter {
  #ended = 0;
  #areMany = false;

  onRunStart(aggregated, options) {
    this.#areMany = aggregated.numTotalTestSuites > PROGRESS_EVERY;
    super.onRunStart(aggregated, options);
  }

  printTestFileHeader(file, config, result) {
    if (!this.#areMany || result.numFailingTests > 0 || result.testExecError)
      super.printTestFileHeader(file, config, result);
    this.#ended++;
  }

  onTestResult(test, result, aggregated) {
    super.onTestResult(test, result, aggregated);
    const { numTotalTestSuites: files, numPassedTests, numFailedTests } = aggregated;
    if (this.#ended % PROGRESS_EVERY === 0 && this.#ended < files) {
      this.log(`${this.#ended} of ${files} files: ${numPassedTests} tests passed, ${numFailedTests} failed`);
    }
  }
}

module.exports = QuietReporter;
