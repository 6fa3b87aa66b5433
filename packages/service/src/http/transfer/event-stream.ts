import { batchStateView } from '@telecine/contract/wire/batch.ts';
import { hasKeyFor, type JobViewer, jobView } from '@telecine/contract/wire/job-view.ts';
import { HEARTBEAT_TEXT, type LiveEventView, liveEventText, retryText } from '@telecine/contract/wire/live-event.ts';
import type { FastifyReply } from 'fastify';
import type { LiveEvent, LiveEventWriter } from '../../jobs/events/live-event.ts';

/** Clients wait 1 to 3 s before they connect again. The time is random, so that not all of them connect at once. */
const [RETRY_MS, RETRY_SPREAD_MS] = [1000, 2000];

/** The maximum number of characters in one write. Events that arrive together are sent in one write. */
const MAX_PENDING_CHARACTERS = 16_384;

/** The budget of the client that reads a stream, in bytes. */
interface StreamBudget {
  count(bytes: number): void;
  /** Returns how many milliseconds it takes until the client has bytes left. 0: it has some now. */
  msUntilMore(): number;
}

/** An open event stream. Times are by `performance.now`, in milliseconds. */
export interface EventStream extends LiveEventWriter {
  /** When text was last written. */
  readonly writtenAt: number;
  /** Since when there is text that the client has not read. undefined: it has read all. */
  readonly blockedSince: number | undefined;
  heartbeat(): void;
  /** Closes the connection at once. */
  destroy(): void;
}

/** The text of each event, made once: many streams can send the same event. */
const texts = new WeakMap<LiveEvent, string>();

function textOf(event: LiveEvent, viewer: JobViewer): string {
  // The job is encrypted, and the viewer has no key. Do not share its view with viewers that have one.
  if ('job' in event && event.job.request.encrypt !== undefined && !hasKeyFor(event.job, viewer))
    return liveEventText({ type: event.kind, data: jobView(event.job, viewer) });
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = liveEventText({ type: event.kind, data: dataOf(event) });
  texts.set(event, text);
  return text;
}

function dataOf(event: LiveEvent): LiveEventView['data'] {
  if ('job' in event) return jobView(event.job);
  if (event.kind === 'batch') return batchStateView(event.batch);
  if (event.kind === 'watch') return event.watchId === undefined ? {} : { watchId: event.watchId };
  return event.kind === 'deleted' ? { jobId: event.jobId } : {};
}

/** How long, at most, a stream waits before it asks for the budget of its client again. */
const BUDGET_WAIT_MS = 1000;

/** Sends the headers of an event stream. The stream waits while the budget of its client is used up. */
export function openEventStream(reply: FastifyReply, viewer: JobViewer, budget: StreamBudget): EventStream {
  const { raw } = reply;
  reply.header('content-type', 'text/event-stream; charset=utf-8');
  // Tell nginx not to collect events before it sends them.
  reply.header('x-accel-buffering', 'no');
  reply.hijack();
  raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  let writtenAt = performance.now();
  let blockedSince: number | undefined;
  let readAll: PromiseWithResolvers<void> | undefined;

  const unblock = (): void => {
    // A stream that has ended counts as blocked until all its text is sent.
    if (raw.writableEnded && !raw.writableFinished && !raw.closed) return;
    blockedSince = undefined;
    readAll?.resolve();
    readAll = undefined;
  };
  raw.on('drain', unblock);
  raw.once('close', unblock);

  let pending = '';
  const flush = (): void => {
    if (pending === '') return;
    const text = pending;
    pending = '';
    writtenAt = performance.now();
    budget.count(text.length);
    if (raw.write(text) || raw.closed) return;
    blockedSince ??= writtenAt;
    readAll ??= Promise.withResolvers();
  };
  let ended: Promise<void> | undefined;
  const send = (text: string): void => {
    if (ended !== undefined) return;
    if (pending === '') queueMicrotask(flush);
    pending += text;
    if (pending.length >= MAX_PENDING_CHARACTERS) flush();
  };

  let wait: Promise<void> | undefined;
  const untilMore = (): Promise<void> | undefined => {
    if (wait !== undefined) return wait;
    const ms = raw.closed ? 0 : budget.msUntilMore();
    if (ms === 0) return undefined;
    wait = new Promise<void>((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        raw.off('close', go);
        wait = undefined;
        resolve();
      };
      const timer = setTimeout(go, Math.min(ms, BUDGET_WAIT_MS));
      raw.once('close', go);
    });
    return wait;
  };

  const end = (): Promise<void> => {
    flush();
    const sent = Promise.withResolvers<void>();
    raw.once('finish', sent.resolve);
    raw.once('close', sent.resolve);
    if (raw.closed) sent.resolve();
    blockedSince ??= performance.now();
    raw.end();
    return sent.promise;
  };

  send(retryText(RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)));
  return {
    get writtenAt() {
      return writtenAt;
    },
    get blockedSince() {
      return blockedSince;
    },
    write: (event, number) => send(`${number === undefined ? '' : `id: ${number}\n`}${textOf(event, viewer)}`),
    blocked: () => readAll?.promise ?? untilMore(),
    heartbeat: () => send(HEARTBEAT_TEXT),
    end: () => {
      ended ??= end();
      return ended;
    },
    destroy: () => void raw.destroy(),
  };
}
