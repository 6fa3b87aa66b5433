import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';

export interface Log {
  readonly log: Logger;
  /** Writes everything that is buffered. For the last lines of a process. */
  flush(): void;
}

/** Lines are written together once they fill this many bytes. pino writes at most 16 KiB at a time. */
const BUFFER_BYTES = 16_000;
/** No line waits longer than this many milliseconds, so that operators can follow the log. */
const FLUSH_MS = 100;

/** JSON lines on standard output, written without holding up the event loop. */
export function openLog(config: Pick<Config, 'logLevel'>): Log {
  const out = pino.destination({ dest: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS });
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    out,
  );
  return {
    log,
    flush: () => {
      try {
        out.flushSync();
      } catch {
        // The stream is not open yet, or its reader is gone.
      }
    },
  };
}
