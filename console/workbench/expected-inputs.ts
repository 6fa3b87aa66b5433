import type { ConversionRequest, DryRun } from '@telecine/client';

/** Removes the warnings about missing inputs that are being uploaded. A check after the upload finds them. */
export const withoutExpected = (checked: DryRun, request: ConversionRequest, uploading: readonly string[]): DryRun => ({
  ...checked,
  warnings: checked.warnings.filter(
    ({ code, field }) => code !== 'INPUT_NOT_FOUND' || !uploading.includes(pathAt(request, field) ?? ''),
  ),
});

/** The path of the input at a JSON Pointer. */
function pathAt({ input, inputs }: ConversionRequest, field = ''): string | undefined {
  const [, index] = /^\/inputs\/(\d+)/.exec(field) ?? [];
  const named = index === undefined ? input : inputs?.[Number(index)];
  return typeof named === 'string' ? named : named?.input;
}
