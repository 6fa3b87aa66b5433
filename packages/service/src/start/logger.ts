import { once } from 'node:events';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';

export interface Log {
  readonly log: Logger;
  /**
   * Logs the same line as `log.info(fields, 'request')`, but faster: pino needs a tenth of the processor time of a submission. At least one
   * field must be defined. undefined: the log level is above `info`.
   */
  readonly logRequest: ((fields: object) => void) | undefined;
  /** Writes as many buffered lines as the reader accepts now. The exit of the process also does this. */
  flush(): void;
  /** Writes the buffered lines. Waits at most a second, because the reader may be gone or stuck. */
  close(): Promise<void>;
}

/** The log is written when the buffer has this many characters. */
const BUFFER_LENGTH = 16_384;
/** The log is written at least this often, so that operators can follow it. */
const FLUSH_MS = 100;
/** The maximum text that waits for a slow reader, in characters. Further lines are dropped and counted. */
const MAX_WAITING_LENGTH = 16 * 2 ** 20;
const CLOSE_MS = 1000;

/**
 * Opens a log of JSON lines. The service continues even if the reader of the log is gone or stuck. pino's own destination would block it,
 * because `flushSync` retries a failed write forever.
 */
export function openLog(config: Pick<Config, 'logLevel'>, out = openStandardOutput()): Log {
  const lines = bufferLines(out);
  // At the exit, run this listener before the listener of the output, which then writes its waiting text.
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

const now = (): string => new Date().toISOString();

/** Collects lines before they go to the output, because each write is a system call. */
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

/** The output of the log. Its reader may be gone or stuck, so only `close` waits for the reader. */
interface LogOutput {
  /** Writes `text`. Queues the part that the reader does not accept now. */
  write(text: string): void;
  /** The length of the text that the reader has not accepted yet. */
  waitingLength(): number;
  /** Waits until the reader has accepted all text, but at most `ms`. */
  close(ms: number): Promise<void>;
}

function openStandardOutput(): LogOutput {
  const out = process.stdout;
  // Continue even if the log cannot be written: its reader has ended, or its disk is full.
  out.on('error', () => {});
  return {
    write: (text) => void out.write(text),
    waitingLength: () => out.writableLength,
    close: async (ms) => {
      const signal = AbortSignal.timeout(ms);
      const { promise: written, resolve } = Promise.withResolvers<void>();
      out.write('', () => resolve());
      await Promise.race([written, once(signal, 'abort')]);
    },
  };
}
