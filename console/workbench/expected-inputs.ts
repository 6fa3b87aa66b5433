import type { ConversionRequest, DryRun } from '@telecine/client';

/** What a check says, without warnings that inputs are missing which are being uploaded: the next check finds them. */
export const withoutExpected = (checked: DryRun, request: ConversionRequest, uploading: readonly string[]): DryRun => ({
  ...checked,
  warnings: checked.warnings.filter(
    ({ code, field }) => code !== 'INPUT_NOT_FOUND' || !uploading.includes(pathAt(request, field) ?? ''),
  ),
});

/** The path of the input that a JSON Pointer names. */
function pathAt({ input, inputs }: ConversionRequest, field = ''): string | undefined {
  const [, index] = /^\/inputs\/(\d+)/.exec(field) ?? [];
  const named = index === undefined ? input : inputs?.[Number(index)];
  return typeof named === 'string' ? named : named?.input;
}
