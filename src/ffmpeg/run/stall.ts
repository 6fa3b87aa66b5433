import { descendants, readProc } from '../process/process-tree.ts';
import type { ProgressBlock } from './progress.ts';

const NOTHING = { frame: -1, outSeconds: -1, totalBytes: -1 };

/** Looks in one stall time; a stall is noticed at most a quarter of it late. */
const LOOKS = 4;

/**
 * Notices when ffmpeg no longer gets anywhere: frames, time, bytes written and bytes read all stand still for
 * a while. Reading counts, because seeking by decoding (`ss` on the output), `palettegen` or `reverse` write
 * nothing for minutes and are well.
 */
export class StallWatch {
  readonly #timer: NodeJS.Timeout;
  #pid: () => number | undefined = () => undefined;
  #furthest = NOTHING;
  #read: number | undefined;
  #advanced = performance.now();

  constructor(stallSeconds: number, onStall: () => void) {
    const look = async (): Promise<void> => {
      await this.#lookAtReading();
      if (performance.now() - this.#advanced >= stallSeconds * 1000) onStall();
    };
    this.#timer = setInterval(() => void look(), (stallSeconds * 1000) / LOOKS);
  }

  /** A new pass, with a new process, counts from zero. */
  watch(pid: () => number | undefined): void {
    this.#pid = pid;
    this.#furthest = NOTHING;
    this.#read = undefined;
    this.#advanced = performance.now();
  }

  saw(block: ProgressBlock): void {
    const before = this.#furthest;
    const after = {
      frame: Math.max(block.frame ?? -1, before.frame),
      outSeconds: Math.max(block.outSeconds ?? -1, before.outSeconds),
      totalBytes: Math.max(block.totalBytes ?? -1, before.totalBytes),
    };
    const further =
      after.frame > before.frame || after.outSeconds > before.outSeconds || after.totalBytes > before.totalBytes;
    this.#furthest = after;
    if (further) this.#advanced = performance.now();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #lookAtReading(): Promise<void> {
    const pid = this.#pid();
    const read = pid === undefined ? undefined : await bytesRead(pid);
    if (read !== undefined && this.#read !== undefined && read > this.#read) this.#advanced = performance.now();
    this.#read = read ?? this.#read;
  }
}

/** Bytes that a process and all below it read; 0 where the system does not tell (only Linux does). */
async function bytesRead(pid: number): Promise<number> {
  const counts = [pid, ...(await descendants(pid))].map((each) =>
    Number(/^rchar: (\d+)$/m.exec(readProc(`/proc/${each}/io`))?.[1] ?? 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
