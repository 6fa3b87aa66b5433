import type { JobHistoryStore } from '../ports/job-records.ts';
import { firstStep, type HistorySpan, SPANS } from './spans.ts';

/** Deletes the counts that no history shows any more. */
export async function forgetHistory(history: Pick<JobHistoryStore, 'forgetBefore'>, nowMs: number): Promise<void> {
  for (const span of Object.keys(SPANS) as HistorySpan[])
    await history.forgetBefore(SPANS[span].stepSeconds, firstStep(span, nowMs));
}
