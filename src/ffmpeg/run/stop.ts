import type { Failure } from '../../domain/failure.ts';
import { spanText } from '../../domain/quantity.ts';
import type { LaunchedProcess } from '../process/launch.ts';
import { GRACE_SECONDS } from '../sandbox/confine.ts';

/**
 * Ends a conversion, whichever pass it is in: politely first, by SIGKILL when the grace is over. The first cause
 * wins; a later one changes nothing.
 */
export class Stopper {
  #cause: Failure | undefined;
  #running: LaunchedProcess | undefined;
  #hasOutput: () => boolean = () => false;
  #last: NodeJS.Timeout | undefined;
  readonly #graceSeconds: number;

  constructor(graceSeconds = GRACE_SECONDS) {
    this.#graceSeconds = graceSeconds;
  }

  get cause(): Failure | undefined {
    return this.#cause;
  }

  /** Of what runs now. */
  get pid(): number | undefined {
    return this.#running?.pid();
  }

  /** @param hasOutput Whether ffmpeg has begun its output: before that there is nothing to close properly. */
  watch(running: LaunchedProcess, hasOutput: () => boolean): void {
    this.#running = running;
    this.#hasOutput = hasOutput;
    if (this.#cause !== undefined) void running.kill();
  }

  stop(cause: Failure): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    const running = this.#running;
    if (running === undefined) return;
    if (!this.#hasOutput()) {
      void running.kill();
      return;
    }
    void running.terminate();
    this.#last = setTimeout(() => void running.kill(), this.#graceSeconds * 1000);
  }

  /** The pass is over: nothing may be signalled any more. */
  release(): void {
    clearTimeout(this.#last);
    this.#running = undefined;
  }
}

export const CONVERSION_CANCELLED: Failure = { code: 'CANCELLED', message: 'The job was cancelled.' };

/** `limit`: which of the client's that is; '' where it is the service's own. */
export const conversionTimedOut = (seconds: number, limit: '' | ' (limit "time")'): Failure => ({
  code: 'TIMEOUT',
  message: `The conversion took longer than the ${spanText(seconds)} that a job may take${limit}.`,
  fix: 'Convert a shorter part (ss, t), use a faster preset or codec, or ask the operator for a longer limit.',
});

export const conversionStalled = (seconds: number): Failure => ({
  code: 'STALLED',
  message: `ffmpeg made no progress for ${spanText(seconds)} and was ended.`,
  fix: 'Look for a filter or option that waits or never ends, or for an input that is not finished.',
});
