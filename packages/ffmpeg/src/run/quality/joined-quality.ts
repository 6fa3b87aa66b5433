import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type JoinedQuality, METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import type { RunState } from '../run-state.ts';
import { qualityWarnings } from './quality-warnings.ts';

/** Warnings about a video that was encoded in chunks. */
export function joinedWarnings({ result, limit, ...target }: JoinedQuality): readonly Warning[] {
  const { reached, tried } = result;
  const value = Math.min(result.value, ...tried.flatMap((one) => (one.isWhole === true ? [one.value] : [])));
  const whole = { value, reached, bytes: undefined, videoBytes: 0, bitsPerSecond: undefined };
  return qualityWarnings(target, { ...(limit && { limit }), maxBitsPerSecond: undefined }, whole, undefined);
}

/** Adds to the log of the job what was tried, and what its chunks have. */
export function noteJoinedQuality({ metric, target, result }: JoinedQuality, { log }: Pick<RunState, 'log'>): void {
  const [name, { option, tried, reached, chunks }] = [METRIC_NAMES[metric], result];
  for (const { value, score, bitsPerSecond, isWhole, chunks: some } of tried)
    log.note(
      `Quality, ${isWhole !== true ? 'samples' : some === undefined ? 'all chunks' : `all chunks, ${some} of them again`}: ${option} ${value} has ${name} ${score} at ${Math.round(bitsPerSecond / 1000)} kb/s`,
    );
  if (chunks === undefined) {
    log.note('Quality: not all chunks could be compared with their source');
    return;
  }
  const { worst } = chunks;
  log.note(
    `Quality: the output has ${name} ${reached}, its worst chunk (from ${worst.startSeconds} s on) ${worst.score}, the target is ${target}`,
  );
}
