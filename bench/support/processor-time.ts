import { readFileSync } from 'node:fs';

/** Milliseconds of processor time, and of waiting for a processor, since an arbitrary moment. */
interface ProcessorTime {
  readonly at: number;
  /** The main thread of the service, which runs its event loop. */
  readonly loop: number;
  /** How long the main thread was ready to run but had no processor. */
  readonly loopWait: number;
  /** The service, with the programs that it started and that have ended. */
  readonly service: number;
  readonly load: number;
  readonly machine: number;
}

const CLOCK_TICKS_A_SECOND = 100;
const ticksToMs = (ticks: number): number => (ticks * 1000) / CLOCK_TICKS_A_SECOND;

function processMs(pid: number, withChildren: boolean): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0, ...children] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
  return ticksToMs(user + system + (withChildren ? children.reduce((sum, ticks) => sum + ticks, 0) : 0));
}

/** All processor time of the machine that was not idle. */
function machineMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)
    .join()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return ticksToMs(user + nice + system + irq + softirq);
}

function now(service: number, load: number | undefined): ProcessorTime {
  const [run = 0, wait = 0] = readFileSync(`/proc/${service}/schedstat`, 'utf8').split(' ').map(Number);
  return {
    at: performance.now(),
    loop: run / 1e6,
    loopWait: wait / 1e6,
    service: processMs(service, true),
    load:
      (load === undefined ? 0 : processMs(load, false)) +
      process.cpuUsage().user / 1e3 +
      process.cpuUsage().system / 1e3,
    machine: machineMs(),
  };
}

/**
 * Starts to measure how the processors are used. Returns a function that describes the use since then, in percent of one core. `service`,
 * `load`: process ids. If other programs used much, or the event loop waited for a processor, the figures of the bench are not reliable.
 */
export function watchProcessors(service: number, load?: number): () => string {
  const from = now(service, load);
  return () => {
    const to = now(service, load);
    const percent = (of: (time: ProcessorTime) => number): number => (100 * (of(to) - of(from))) / (to.at - from.at);
    const [loop, wait, all] = [percent((t) => t.loop), percent((t) => t.loopWait), percent((t) => t.service)];
    const [generator, machine] = [percent((t) => t.load), percent((t) => t.machine)];
    const text = (share: number): string => `${Math.max(0, share).toFixed(0)} %`;
    return `of a core: the event loop ${text(loop)} (and waited for one ${text(wait)}), other threads and programs of the service ${text(all - loop)}, the bench ${text(generator)}, others ${text(machine - all - generator)}`;
  };
}
