import type { JobFilter } from '../job-changes.ts';
import type { EventHub } from './event-hub.ts';
import type { LiveEvent, LiveEventWriter } from './live-event.ts';

/** What a stream writes, and when it ends. */
export interface PipedStream {
  /** Selects the jobs of the stream. No job may match two of them. */
  readonly filters: readonly JobFilter[];
  readonly writer: LiveEventWriter;
  /** Aborted when the reader disconnects or the service stops. */
  readonly signal: AbortSignal;
  /** Runs a step of catching up when it is the turn of the caller. Rejects when `signal` is aborted. */
  inStep<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Writes what the reader has not got yet. Nothing is delivered meanwhile. Resolves to the number of the last change that
   * was written; undefined if it must be called again.
   */
  catchUp(): Promise<number | undefined | 'ended'>;
  /** Writes a change. `isLast`: whether the stream gets no other change with this number. `end` ends the stream. */
  change(event: LiveEvent, number: number, isLast: boolean, end: () => void): void;
  /** Writes progress, which has no number. */
  progress(event: LiveEvent, end: () => void): void;
}

/**
 * Writes the events of a stream until it ends: first what `catchUp` finds, then what the hub delivers. A reader that does
 * not keep up leaves the hub and catches up later from the changes in the store, which have one state for each job. So
 * nothing is kept for it in memory.
 */
export async function pipeEvents(hub: EventHub, stream: PipedStream): Promise<void> {
  const { filters, writer, signal } = stream;
  while (!signal.aborted) {
    await writer.blocked();
    const left = Promise.withResolvers<'behind' | 'ended'>();
    const end = (): void => left.resolve('ended');
    let leave = (): void => {};
    const catchUpAndJoin = async () => {
      if (signal.aborted) return 'ended';
      const joined = await stream.catchUp();
      if (joined === undefined || joined === 'ended') return joined;
      const isBehind = (): boolean => {
        if (writer.blocked() === undefined) return false;
        leave();
        left.resolve('behind');
        return true;
      };
      leave = hub.join(filters, joined, {
        change: (event, number, isLast) => {
          if (number > joined && !isBehind()) stream.change(event, number, isLast, end);
        },
        progress: (event) => {
          if (!isBehind()) stream.progress(event, end);
        },
      });
      return 'joined';
    };
    const state = await stream.inStep(() => hub.exclusive(catchUpAndJoin));
    if (state === 'ended') return;
    if (state === undefined) continue;
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const reason = await left.promise;
    signal.removeEventListener('abort', end);
    leave();
    if (reason === 'ended') return;
  }
}
