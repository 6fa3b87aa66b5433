import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * How much old objects grow, in percent, until V8 collects them. V8 would let them double: see decision 90.
 */
const GROWTH_PERCENT = 30;

/**
 * The share of the time since the start in which the event loop was busy, from which on the start is not collected: V8 then has
 * collected it already. A last-resort collection would free hidden classes and code that the requests need again, and V8 does not
 * optimise that code as well a second time: submissions took 40 % more processor time for as long as the service ran.
 */
const BUSY = 0.25;

/** What starts and is stopped at once, such as a trial, is not worth the collection: a tenth of the processor time of a start. */
const DELAY_MS = 1500;

/**
 * V8 may conclude from the first objects that a line of code allocates that all its objects live long. It then allocates them in the old
 * generation. In one start of four it did so for objects of each request: these kept their request and reply until the next full
 * collection, and submissions took 30 % more processor time for as long as the service ran.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

/**
 * Collects the garbage of the start once the service has run for a while without load, and collects garbage earlier from now on. V8
 * would keep the garbage of the start, 25 to 45 MB of 145 MB, until the service is idle for a long time.
 */
export function releaseMemory(): void {
  setFlagsFromString(NO_PRETENURING);
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  const before = performance.eventLoopUtilization();
  const collectIfIdle = (): void => {
    if (performance.eventLoopUtilization(before).utilization < BUSY) collectStart();
  };
  setTimeout(collectIfIdle, DELAY_MS).unref();
}

/** Blocks the process for 30 to 60 ms. */
function collectStart(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  // This collection also frees the hidden classes of objects that do not exist at the moment, and code that was
  // optimised for such a class stays slow. Each request uses ticks, so keep one tick alive.
  process.nextTick(() => {});
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
