import { EXIT } from '../exit-codes.ts';
import { exitStatusOf } from '../exit-status.ts';
import { explain, explainAsJson } from '../output/explain.ts';
import { CommandFailed } from './command-failed.ts';

export interface RunCommandOptions {
  readonly json?: boolean | undefined;
  /** The time limit of the whole command, in seconds. */
  readonly timeout?: number | undefined;
}

/** Runs a command. Ctrl-C and the timeout abort the signal, and a second Ctrl-C ends the process. Prints errors and sets the exit code. */
export async function runCommand(
  { json = false, timeout }: RunCommandOptions,
  act: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.cancelled);
    controller.abort(new CommandFailed(EXIT.cancelled, 'CANCELLED', 'Cancelled.'));
  };
  const expire = (): void => {
    const message = `Not finished within ${timeout} s.`;
    controller.abort(new CommandFailed(EXIT.timedOut, 'TIMED_OUT', message, { fix: 'Use a longer --timeout.' }));
  };
  const timer = timeout === undefined ? undefined : setTimeout(expire, timeout * 1000);
  // The reader of the output may end early, as `| head` does. Ignore this, so that the command still cleans up its uploads.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    await act(controller.signal);
  } catch (error) {
    const status = exitStatusOf(error);
    if (status === undefined) throw error;
    if (json) console.log(explainAsJson(status));
    else for (const line of explain(status)) console.error(line);
    process.exitCode = status.exitCode;
  } finally {
    clearTimeout(timer);
    // The command has ended. Another Ctrl-C while open connections close exits with the exit code that is set, or else as cancelled.
    for (const signal of signals)
      process.off(signal, interrupt).on(signal, () => process.exit(process.exitCode ?? EXIT.cancelled));
  }
}
