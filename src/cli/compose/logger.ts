import { type Logger, pino } from 'pino';
import type { Config } from '../../config/config.ts';

export interface Log {
  readonly log: Logger;
  /** Takes whole lines, in the same form; undefined where the level leaves out what is only information. */
  readonly accessLog: { write(lines: string): void } | undefined;
  /** Waits until all is written: for the last lines of a process. */
  flush(): void;
}

/** JSON lines on standard output, written without holding up the event loop. */
export function openLog(config: Pick<Config, 'logLevel'>): Log {
  const out = pino.destination({ dest: 1, sync: false });
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
    accessLog: log.isLevelEnabled('info') ? out : undefined,
    flush: () => {
      try {
        out.flushSync();
      } catch {
        // The stream is not open yet, or its reader is gone: there is nobody left to tell.
      }
    },
  };
}
