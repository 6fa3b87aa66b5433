import type { Job } from '@telecine/client';
import { PHASE_NAMES } from './job-names.ts';

/** A part of a job's time, such as waiting in the queue. */
export interface Span {
  readonly name: string;
  readonly kind: 'waiting' | 'attempts' | NonNullable<Job['phase']>;
  readonly startedAt: string;
  readonly seconds: number;
  /** Whether this part has not ended. */
  readonly isOpen: boolean;
}

type Times = Pick<Job, 'status' | 'createdAt' | 'startedAt' | 'completedAt' | 'phases'>;

/**
 * The times of a job since its submission: in the queue, in earlier attempts, and in the phases of the newest attempt. `now`: the end of a
 * part that has not ended, in milliseconds.
 */
export function timelineOf({ createdAt, startedAt, completedAt, phases = [] }: Times, now: number): readonly Span[] {
  const end = completedAt === undefined ? undefined : Date.parse(completedAt);
  const marks: readonly Pick<Span, 'name' | 'kind' | 'startedAt'>[] = [
    { name: 'Queued', kind: 'waiting' as const, startedAt: createdAt },
    ...(startedAt !== undefined && startedAt !== phases[0]?.startedAt
      ? [{ name: 'Earlier attempts', kind: 'attempts' as const, startedAt }]
      : []),
    ...phases.map(({ phase, startedAt: at }) => ({ name: PHASE_NAMES[phase], kind: phase, startedAt: at })),
  ];
  return marks.map((mark, index) => {
    const next = marks[index + 1];
    const to = next === undefined ? (end ?? now) : Date.parse(next.startedAt);
    // The clocks of the service's machines and of the browser may differ, so the difference may be negative.
    const seconds = Math.max(0, (to - Date.parse(mark.startedAt)) / 1000);
    return { ...mark, seconds, isOpen: next === undefined && end === undefined };
  });
}
