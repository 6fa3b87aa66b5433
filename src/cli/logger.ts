import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';

export interface Log {
  readonly log: Logger;
  /**
   * Logs `fields` as the line of a request, like `log.info(fields, 'request')`. pino would take a tenth of a submission's
   * processor time for it. Undefined if the log level is above `info`.
   */
  readonly logRequest: ((fields: object) => void) | undefined;
  /** Writes the buffered lines. Call it before the process exits. */
  flush(): void;
}

/** The log is written once the buffer has this many characters. */
const BUFFER_LENGTH = 16_384;
/** The buffer is also written after this time, so that operators can follow the log. */
const FLUSH_MS = 100;

/** Opens a log of JSON lines on standard output, which does not block the event loop. */
export function openLog(config: Pick<Config, 'logLevel'>): Log {
  const out = pino.destination({ dest: 1, sync: false });
  const lines = bufferLines(out);
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: () => `,"time":"${now()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    lines,
  );
  return {
    log,
    logRequest: log.isLevelEnabled('info')
      ? (fields) => lines.write(`${JSON.stringify({ level: 'info', time: now(), ...fields, msg: 'request' })}\n`)
      : undefined,
    flush: () => {
      lines.flush();
      try {
        out.flushSync();
      } catch {
        // The stream is not open yet, or its reader has closed the pipe.
      }
    },
  };
}

let nowMs = 0;
let nowText = '';

/** The time in ISO 8601. Formats it once a millisecond: a busy service logs many lines in one. */
function now(): string {
  const ms = Date.now();
  if (ms !== nowMs) {
    nowMs = ms;
    nowText = new Date(ms).toISOString();
  }
  return nowText;
}

/** Joins lines before pino's destination gets them: it measures its whole buffer at each write. */
function bufferLines(out: DestinationStream): DestinationStream & { flush(): void } {
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (text !== '') out.write(text);
    text = '';
  };
  return {
    write(line) {
      text += line;
      if (text.length >= BUFFER_LENGTH) flush();
      else timer ??= setTimeout(flush, FLUSH_MS);
    },
    flush,
  };
}
