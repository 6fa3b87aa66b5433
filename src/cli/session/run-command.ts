import { EXIT } from '../exit-codes.ts';
import { exitStatusOf } from '../exit-status.ts';
import { explain, explainAsJson } from '../output/explain.ts';
import { CommandFailed } from './command-failed.ts';

/** What all commands that talk to a service take. */
export interface RunCommandOptions {
  readonly json?: boolean | undefined;
  /** Seconds for all of it. */
  readonly timeout?: number | undefined;
}

/**
 * Runs a command: Ctrl-C and the timeout abort the signal, a second Ctrl-C ends the process at once; what it throws is
 * explained and becomes the exit code.
 */
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
    const message = `Not done within ${timeout} s.`;
    controller.abort(new CommandFailed(EXIT.timedOut, 'TIMED_OUT', message, { fix: 'Give it longer with --timeout.' }));
  };
  const timer = timeout === undefined ? undefined : setTimeout(expire, timeout * 1000);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    await act(controller.signal);
  } catch (error) {
    const ending = exitStatusOf(error);
    if (ending === undefined) throw error;
    if (json) console.log(explainAsJson(ending));
    else for (const line of explain(ending)) console.error(line);
    process.exitCode = ending.exitCode;
  } finally {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, interrupt);
  }
}
