import type { Failure } from '@telecine/contract/domain/failure.ts';
import { durationText, LONGEST_TIMER_MS } from '@telecine/contract/domain/quantity.ts';
import type { LaunchedProcess } from '../process/launch.ts';
import { GRACE_SECONDS } from '../sandbox/confine.ts';

/** Stops a conversion by SIGTERM, and SIGKILL after the grace period (at once without an output). Only the first cause counts. */
export class Stopper {
  #cause: Failure | undefined;
  #running: LaunchedProcess | undefined;
  #hasOutput: () => boolean = () => false;
  #killTimer: NodeJS.Timeout | undefined;
  readonly #graceSeconds: number;

  constructor(graceSeconds = GRACE_SECONDS) {
    this.#graceSeconds = graceSeconds;
  }

  get cause(): Failure | undefined {
    return this.#cause;
  }

  /** The process id of the running pass. */
  get pid(): number | undefined {
    return this.#running?.pid();
  }

  /** The process ids of ffmpeg and its descendants. Empty between two passes. */
  async processes(): Promise<readonly number[]> {
    return (await this.#running?.processes()) ?? [];
  }

  /** @param hasOutput Returns true if ffmpeg has started its output. Until then, there is no file to finish. */
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
    this.#killTimer = setTimeout(() => void running.kill(), this.#graceSeconds * 1000);
  }

  /** Call this when the pass has ended, because its process id may soon belong to another process. */
  release(): void {
    clearTimeout(this.#killTimer);
    this.#running = undefined;
  }
}

export const CONVERSION_CANCELLED: Failure = { code: 'CANCELLED', message: 'The job was cancelled.' };

/** @param limit '' for the timeout of the service, ' (limit "time")' for the limit of the client. */
export const conversionTimedOut = (seconds: number, limit: '' | ' (limit "time")'): Failure => ({
  code: 'TIMEOUT',
  message: `The conversion took longer than the ${durationText(seconds)} that a job may take${limit}.`,
  fix: 'Convert a shorter part (ss, t), use a faster preset or codec, or ask the operator for a higher limit.',
});

export const conversionStalled = (seconds: number): Failure => ({
  code: 'STALLED',
  message: `ffmpeg made no progress for ${durationText(seconds)} and was stopped.`,
  fix: 'Check for a filter or option that waits or never ends, videos of different frame rates in one filter (send each through "fps=25" first), or an input that is still being written.',
});

/** Calls `onEnd` once if a run takes too long. Pauses, in which the run waits for its turn, do not count. They must not overlap. */
export class TimeLimit {
  readonly #onEnd: () => void;
  #leftMs: number;
  #resumedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(seconds: number, onEnd: () => void) {
    this.#leftMs = Math.min(seconds * 1000, LONGEST_TIMER_MS);
    this.#onEnd = onEnd;
    this.#resume();
  }

  /** The seconds until the end, if nothing pauses the run. */
  get leftSeconds(): number {
    return Math.max(0, this.#leftMs - (performance.now() - this.#resumedAt)) / 1000;
  }

  async pauseFor(wait: Promise<void>): Promise<void> {
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#resumedAt));
    await wait.finally(() => this.#resume());
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #resume(): void {
    if (this.#isOver) return;
    this.#resumedAt = performance.now();
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#onEnd();
    }, this.#leftMs);
  }
}
