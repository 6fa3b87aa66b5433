import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { PlannedInput } from '@telecine/contract/domain/plan.ts';

const LOGICAL = /('?)\b(?:file:)?(in\/(?:fonts\/)?\d{1,3}(?:\/%06d)?(?:\.[a-z0-9]{1,10})?)\1/g;

/** Replaces the logical names of inputs, such as `in/0.mp4`, with their quotes, by the paths that the client sent. */
export function replaceLogicalNames(
  failure: Failure,
  inputs: readonly Pick<PlannedInput, 'logical' | 'path'>[],
): Failure {
  const pathOf = (logical: string): string | undefined => inputs.find((one) => one.logical === logical)?.path;
  const message = failure.message.replace(LOGICAL, (all, _quote, logical: string) => {
    const path = pathOf(logical);
    return path === undefined ? all : `"${path}"`;
  });
  const { input } = failure.about ?? {};
  const path = input === undefined ? undefined : pathOf(input);
  return { ...failure, message, ...(path !== undefined && { about: { ...failure.about, input: path } }) };
}
