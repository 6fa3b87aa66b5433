import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';

/**
 * JSON lines on standard output. Lines are collected for up to a tenth of a second: a write a request would
 * cost a quarter of the requests. What is at `error` or above is written at once.
 */
export function openLog(config: Pick<Config, 'logLevel'>): { readonly log: Logger; flush(): void } {
  const out = pino.destination({ dest: 1, sync: false, minLength: 8192 });
  const flush = (): void => {
    try {
      out.flushSync();
    } catch {
      // The stream is not open yet, or its reader is gone: there is nobody left to tell.
    }
  };
  setInterval(() => out.flush(), 100).unref();
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method, level) {
          method.apply(this, args);
          if (level >= 50) flush();
        },
      },
    },
    out,
  );
  return { log, flush };
}
