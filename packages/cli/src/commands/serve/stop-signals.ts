/**
 * A signal that follows the first one this soon is a copy of the same request. Ctrl-C reaches the whole process group, and `npm start`
 * forwards another copy.
 */
const SAME_REQUEST_MS = 500;

/**
 * Calls `stop` at the first SIGTERM or SIGINT; `run-service.ts` has the order of the stop, and `drain` of `service/jobs/run/worker.ts` what
 * happens to running jobs. The next signal ends the process by the default action, even if JavaScript is blocked.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  let stopping = false;
  const receive = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      for (const each of signals) process.off(each, receive);
      // In a container, the service is process 1, and the kernel ignores the default action of signals for it. Exit explicitly.
      if (process.pid === 1) for (const each of signals) process.on(each, () => process.exit(1));
    }, SAME_REQUEST_MS);
    stop(signal);
  };
  for (const signal of signals) process.on(signal, receive);
}
