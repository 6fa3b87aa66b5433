import type { ConnectionTable, OpenConnection, Refusal } from './connection-table.ts';

/** The number of looks within the time after which a reply is stalled. */
const LOOKS = 12;

/**
 * Closes connections whose clients read nothing of their reply for `stallMs`. A reply that is still being made is not stalled.
 * Returns a function to call for each new connection: while there is none, no timer runs.
 */
export function watchStalledReplies(
  table: ConnectionTable,
  { stallMs, onRefusal }: { readonly stallMs: number; readonly onRefusal: (why: Refusal) => void },
): () => void {
  let timer: NodeJS.Timeout | undefined;

  const isStalled = (connection: OpenConnection, now: number): boolean => {
    const { socket } = connection;
    const unsent = socket.writableLength;
    const taken = unsent === 0 ? -1 : socket.bytesWritten - unsent;
    if (taken === -1 || taken !== connection.takenBytes) {
      connection.takenBytes = taken;
      connection.takenSince = now;
      return false;
    }
    return now - connection.takenSince >= stallMs;
  };
  const look = (): void => {
    const now = performance.now();
    for (const connection of table)
      if (isStalled(connection, now)) {
        onRefusal('stalled');
        connection.socket.destroy();
      }
    if (table.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return () => {
    timer ??= setInterval(look, stallMs / LOOKS).unref();
  };
}
