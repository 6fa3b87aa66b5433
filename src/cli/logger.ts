import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';

export interface Log {
  readonly log: Logger;
  /** Writes the buffered lines. Call it before the process exits. */
  flush(): void;
}

/** The log is written once the buffer has this many bytes. */
const BUFFER_BYTES = 4096;
/** The buffer is also written after this time, so that operators can follow the log. */
const FLUSH_MS = 100;

/** Opens a log of JSON lines on standard output, which does not block the event loop. */
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
        // The stream is not open yet, or its reader has closed the pipe.
      }
    },
  };
}
