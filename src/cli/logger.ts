import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import { type LogOutput, openStandardOutput } from './log-output.ts';

export interface Log {
  readonly log: Logger;
  /**
   * Logs `fields` as the line of a request, like `log.info(fields, 'request')`. pino would take a tenth of a submission's
   * processor time for it. At least one field must have a value. Undefined if the log level is above `info`.
   */
  readonly logRequest: ((fields: object) => void) | undefined;
  /** Writes the buffered lines to the output, as far as its reader accepts them now. The exit of the process does it too. */
  flush(): void;
  /** Writes the buffered lines and waits until the output has them, at most a second: its reader may be gone or stuck. */
  close(): Promise<void>;
}

/** The log is written once the buffer has this many characters. */
const BUFFER_LENGTH = 16_384;
/** The buffer is also written after this time, so that operators can follow the log. */
const FLUSH_MS = 100;
/** The maximum length of the text that waits for a reader that does not read. Further lines are dropped and counted. */
const MAX_WAITING_LENGTH = 16 * 2 ** 20;
/** How long `close` waits for the reader. */
const CLOSE_MS = 1000;

/**
 * Opens a log of JSON lines. A reader that is gone or stuck never stops the service. pino's own
 * destination is not used: its `flushSync`, which it also calls when the process exits, retries a failed write for ever.
 */
export function openLog(config: Pick<Config, 'logLevel'>, out = openStandardOutput()): Log {
  const lines = bufferLines(out);
  // Before the output writes what still waits.
  process.prependOnceListener('exit', lines.flush);
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
      ? (fields) =>
          lines.write(`{"level":"info","time":"${now()}",${JSON.stringify(fields).slice(1, -1)},"msg":"request"}\n`)
      : undefined,
    flush: lines.flush,
    close: async () => {
      lines.flush();
      await out.close(CLOSE_MS);
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

/** Joins lines before the output gets them, as each write to it is a system call. */
function bufferLines(out: LogOutput): DestinationStream & { flush(): void } {
  let text = '';
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (text !== '') out.write(text);
    text = '';
  };
  return {
    write(line) {
      if (out.waitingLength() > MAX_WAITING_LENGTH) {
        dropped += 1;
        return;
      }
      if (dropped > 0) text += `${JSON.stringify({ level: 'warn', time: now(), dropped, msg: 'log lines dropped' })}\n`;
      dropped = 0;
      text += line;
      if (text.length >= BUFFER_LENGTH) flush();
      else timer ??= setTimeout(flush, FLUSH_MS);
    },
    flush,
  };
}
