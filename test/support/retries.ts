/**
 * How often a test with real programs is run again that failed: once in CI, where several programs wait for two processors and one misses
 * its time limit now and then. The report names what was retried.
 */
export const RETRIES = process.env['CI'] === undefined ? 0 : 1;
