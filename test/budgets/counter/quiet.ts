import { fireNext, pause } from './clock.ts';
import { totalCount } from './counts.ts';
import { pendingOnPostgres } from './postgres.ts';
import { runningProcesses } from './processes.ts';

/** The names of what Node lists while a call to the system runs, and none of what stays open, such as sockets. */
const WORKING = /Req|Immediate|Connect|Write|Shutdown/i;

/** How often in turn the service must be found idle. A result passes through several turns of the event loop. */
const TURNS = 10;

/** More timers than a path needs. */
const MOST_TIMERS = 1000;

const isWorking = (): boolean =>
  pendingOnPostgres() > 0 ||
  runningProcesses() > 0 ||
  process.getActiveResourcesInfo().some((one) => WORKING.test(one));

/** Resolves when the service does nothing and waits for nothing but requests and the background. */
export async function untilQuiet(): Promise<void> {
  let last = -1;
  let timers = 0;
  for (let idle = 0; idle < TURNS; idle += 1) {
    await pause(1);
    if (isWorking() || totalCount() !== last) idle = -1;
    last = totalCount();
    if (idle < TURNS - 1 || !fireNext()) continue;
    idle = -1;
    timers += 1;
    if (timers > MOST_TIMERS) throw new Error('A short timer is set again and again. Use setInterval for what polls.');
  }
}
