import type { Failure as RunFailure } from '@telecine/contract/domain/failure.ts';
import type { JobOutput } from '@telecine/contract/domain/job.ts';
import type { Warning as PlanWarning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, MAX_FIELD_ERRORS } from '@telecine/contract/domain/problem.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import { type Fixable, fixPatch } from '@telecine/contract/wire/fix-patch.ts';
import { fixWords } from './fix-words.ts';
import type { Failure, OutputFile, RejectedRequest, Warning } from './types.ts';

export const outputFile = ({
  path,
  sizeBytes,
  durationSeconds,
  streams,
  quality,
  ladder,
  frameSize,
}: JobOutput): OutputFile => ({
  path,
  sizeBytes,
  ...(durationSeconds !== undefined && { durationSeconds }),
  ...(streams !== undefined && { streams }),
  ...(quality !== undefined && { quality }),
  ...(ladder !== undefined && { ladder }),
  ...(frameSize !== undefined && { frameSize }),
});

/** `request`: the request that the errors are about. Their fixes become patches of it. */
export const rejected = (errors: readonly FieldError[], request: unknown): RejectedRequest => ({
  ok: false,
  argv: [],
  errors: errors
    .slice(0, MAX_FIELD_ERRORS)
    .map(suggest)
    .map((one) => ({
      field: one.field,
      ...shown(one, request),
      ...(one.allowed !== undefined && { allowed: one.allowed }),
    })),
  warnings: [],
});

export const warningIn =
  (request: unknown) =>
  (one: PlanWarning): Warning => ({
    ...(one.field !== undefined && { field: one.field }),
    ...shown(one, request),
    ...(one.rule !== undefined && { rule: one.rule }),
  });

export const failureView = ({ code, message, fix }: RunFailure): Failure => ({
  code,
  message,
  ...(fix !== undefined && { fix: fixWords(fix) }),
});

/** What an error and a warning have in common. */
function shown(one: Fixable, request: unknown): Pick<Warning, 'code' | 'message' | 'fix' | 'apply'> {
  const { code, message, fix } = one;
  const apply = fixPatch(request, one);
  return { code, message, ...(fix !== undefined && { fix: fixWords(fix) }), ...(apply !== undefined && { apply }) };
}
