import type { ProgressBlock } from '../log/progress-reader.ts';
import { descendants, readProc } from '../process/process-tree.ts';

const NOTHING = { frame: -1, outSeconds: -1, totalBytes: -1 };

/** The checks in a stall period. A stall is noticed at most a quarter of the period late. */
const CHECKS_PER_PERIOD = 4;

/**
 * Detects a stall: a period in which ffmpeg neither wrote frames, seconds or bytes, nor read bytes. Reading counts, because ffmpeg may
 * write nothing for minutes with `ss` of the output, `palettegen` or `reverse`. The period is TELECINE_STALL_TIMEOUT_SECONDS.
 */
export class StallWatch {
  readonly #timer: NodeJS.Timeout;
  #pid: () => number | undefined = () => undefined;
  #latest = NOTHING;
  #read: number | undefined;
  #advanced = performance.now();
  #periods = 1;

  constructor(stallSeconds: number, onStall: (seconds: number) => void) {
    const check = async (): Promise<void> => {
      await this.#checkReading();
      const seconds = this.#periods * stallSeconds;
      if (performance.now() - this.#advanced >= seconds * 1000) onStall(seconds);
    };
    this.#timer = setInterval(() => void check(), (stallSeconds * 1000) / CHECKS_PER_PERIOD);
  }

  /**
   * Restarts the stall period for the next pass.
   *
   * @param pid Returns the process id of this pass.
   * @param outputs How many outputs the pass encodes at the same time. The stall period is multiplied by this number, because each frame is encoded
   *   for each output.
   */
  watch(pid: () => number | undefined, outputs: number): void {
    this.#pid = pid;
    this.#periods = Math.max(1, outputs);
    this.#latest = NOTHING;
    this.#read = undefined;
    this.#advanced = performance.now();
  }

  update(block: ProgressBlock): void {
    const before = this.#latest;
    const after = {
      frame: Math.max(block.frame ?? -1, before.frame),
      outSeconds: Math.max(block.outSeconds ?? -1, before.outSeconds),
      totalBytes: Math.max(block.totalBytes ?? -1, before.totalBytes),
    };
    const advanced =
      after.frame > before.frame || after.outSeconds > before.outSeconds || after.totalBytes > before.totalBytes;
    this.#latest = after;
    if (advanced) this.#advanced = performance.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #checkReading(): Promise<void> {
    const pid = this.#pid();
    const read = pid === undefined ? undefined : await bytesRead(pid);
    if (read !== undefined && this.#read !== undefined && read > this.#read) this.#advanced = performance.now();
    this.#read = read ?? this.#read;
  }
}

/** Returns the number of bytes that a process and its descendants have read. 0 outside Linux. */
async function bytesRead(pid: number): Promise<number> {
  const counts = [pid, ...(await descendants(pid))].map((each) =>
    Number(/^rchar: (\d+)$/m.exec(readProc(`/proc/${each}/io`))?.[1] ?? 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
