/** Where lines of the log go: a stream such as pino's destination. */
export interface LineSink {
  write(lines: string): unknown;
}

/**
 * Hands on the lines of one turn of the event loop together: under load that is one write for some dozens of
 * requests. A write of its own for each line costs more than all else that a request's line takes, since pino's
 * destination measures what it holds anew at every write.
 */
export function batchLines(sink: LineSink): (line: string) => void {
  let waiting = '';
  const flush = (): void => {
    const lines = waiting;
    waiting = '';
    sink.write(lines);
  };
  return (line) => {
    if (waiting === '') setImmediate(flush);
    waiting += line;
  };
}
