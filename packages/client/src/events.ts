import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import type { LiveEvent } from './api.ts';
import { ClientError } from './client-error.ts';
import type { FollowOptions } from './options.ts';
import { FOLLOW_BUDGET, pause } from './retry.ts';
import type { Transport } from './transport.ts';
import { hasEnded } from './wait.ts';

/** The pause before a reconnect. The service can send another one. */
const PAUSE_MS = 1000;

/** A connection that brings no byte for this time is closed. The service sends heartbeats, by default every 15 s. */
const SILENCE_MS = 60_000;

/**
 * Yields the events of jobs, and reconnects after the last id. The events of one job stop when it ends or is deleted; the events of a batch
 * stop at its end. Rejects with `ClientError` if the service is unreachable for two minutes or rejects the request, and with the reason of
 * an aborted signal.
 */
export async function* followEvents(
  { read }: Transport,
  { jobId, batchId, lastEventId, signal, onConnection }: FollowOptions = {},
): AsyncGenerator<LiveEvent, void, undefined> {
  let lastId = lastEventId;
  let pauseMs = PAUSE_MS;
  for (;;) {
    const connection = new AbortController();
    const over = AbortSignal.any([connection.signal, ...(signal === undefined ? [] : [signal])]);
    const call = {
      budget: FOLLOW_BUDGET,
      timeoutSeconds: 0,
      signal: over,
      headers: () => (lastId === undefined ? {} : { 'last-event-id': lastId }),
    };
    const body = async (response: Response) => (response.status === 204 ? null : response.body);
    const silence = silenceTimer(() => connection.abort());
    try {
      const stream = await (jobId !== undefined
        ? read('followJob', { ...call, params: { jobId } }, body)
        : batchId !== undefined
          ? read('followBatch', { ...call, params: { batchId } }, body)
          : read('followJobs', call, body));
      if (stream === null) return;
      onConnection?.(true);
      silence.restart();
      for await (const message of messagesOf(stream, silence.restart, (ms) => (pauseMs = ms))) {
        const event = eventOf(message);
        lastId = message.id ?? lastId;
        yield event;
        if (jobId !== undefined && isLast(event)) return;
        if (batchId !== undefined && event.type === 'batch' && hasEnded(event.data)) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isConnectionLost(error, connection.signal)) throw error;
    } finally {
      silence.stop();
      connection.abort();
    }
    onConnection?.(false);
    await pause(pauseMs, signal);
  }
}

/** The service sends only the declared types. A later version may send more types; callers must ignore them. */
function eventOf({ event = '', id, data }: EventSourceMessage): LiveEvent {
  try {
    return { type: event, ...(id !== undefined && { id }), data: JSON.parse(data) } as LiveEvent;
  } catch (cause) {
    throw new ClientError('unexpected', 'The service sent an event that is not JSON.', { cause });
  }
}

const isLast = (event: LiveEvent): boolean =>
  event.type === 'deleted' ||
  event.type === 'ended' ||
  event.type === 'expired' ||
  (event.type === 'snapshot' && hasEnded(event.data));

/** Whether an open connection was lost. Reads of a `fetch` body then reject with `TypeError`. */
const isConnectionLost = (error: unknown, silent: AbortSignal): boolean => silent.aborted || error instanceof TypeError;

function silenceTimer(onSilence: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  return {
    stop,
    restart: (): void => {
      stop();
      timer = setTimeout(onSilence, SILENCE_MS);
    },
  };
}

/** Reads messages. Calls `onBytes` for all bytes, including heartbeats, which are not messages. */
async function* messagesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBytes: () => void,
  onRetry: (ms: number) => void,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const watch = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      onBytes();
      controller.enqueue(chunk);
    },
  });
  // Do not use `for await`: some browsers do not support it for streams.
  const reader = stream
    .pipeThrough(watch)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onRetry }))
    .getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
