import type { Job } from '@telecine/client';
import { PHASE_NAMES } from './job-names.ts';

/** A part of the life of a job. */
export interface Span {
  readonly name: string;
  readonly kind: 'waiting' | 'attempts' | NonNullable<Job['phase']>;
  readonly startedAt: string;
  readonly seconds: number;
  /** Whether it still goes on. */
  readonly isOpen: boolean;
}

type Times = Pick<Job, 'status' | 'createdAt' | 'startedAt' | 'completedAt' | 'phases'>;

/**
 * What a job did from its submission on: it was queued, it ran earlier attempts, then the phases of the newest one. `now`: where a part that goes on
 * ends, in milliseconds.
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
    // The clocks of the service's machines and of the browser may differ.
    const seconds = Math.max(0, (to - Date.parse(mark.startedAt)) / 1000);
    return { ...mark, seconds, isOpen: next === undefined && end === undefined };
  });
}
