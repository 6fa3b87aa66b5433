/** Measures the event loop delay of a service that imports it with `--import`. See `loop-delay.ts`. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 2;
const file = process.env['BENCH_LOOP_DELAY_FILE'];

if (isMainThread && file !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let count = 0;
  let isEnabled = false;
  process.on('SIGUSR2', () => {
    if (!isEnabled) {
      histogram.reset();
      isEnabled = histogram.enable();
      return;
    }
    count += 1;
    // The histogram contains the time between two ticks of a timer, including the period of the timer.
    const p99 = Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS);
    writeFileSync(file, JSON.stringify({ count, p99 }));
    // The timer of the histogram takes processor time, so disable it when the service is not measured.
    isEnabled = !histogram.disable();
  });
}
