import { addIn, orElse, sendValue } from '../../domain/edit.ts';
import { pathsInText } from '../../domain/foreign-path.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { Warning } from '../../domain/plan.ts';
import { EACH_FILE, wildcardAdvice } from '../../domain/wildcard.ts';
import { UUID } from './batch-order.ts';
import type { CheckedRequest } from './check-request.ts';

/**
 * Warns about a missing input and an existing output, with which the job would fail now, and about an output at a path of
 * another machine. These warnings are about the moment of the request, so a job does not store them.
 */
export function pathWarnings({ plan, outputs, inputs, meant, expected, hostPaths }: CheckedRequest): Warning[] {
  const warnings: Warning[] = [];
  plan.inputs.forEach(({ path, field, sequence }, i) => {
    if (sequence === undefined && inputs[i]?.kind === 'missing' && !expected.has(i))
      warnings.push(
        wildcardWarning(field, path) ?? {
          field,
          code: 'INPUT_NOT_FOUND',
          message: `"${path}" does not exist yet. The job fails with INPUT_NOT_FOUND if it does not exist when the job starts.`,
          fix: meant.has(i)
            ? sendValue(meant.get(i))
            : (severalFiles(path) ?? (UUID.test(path) ? NOT_AN_ID : 'Check the path, or create the file first.')),
        },
      );
  });
  for (const [i, right] of hostPaths) {
    const { field = '/output', path = '' } = plan.outputs[i] ?? {};
    warnings.push({
      field,
      code: 'FOREIGN_PATH',
      message: `"/${path}" looks like a path of another machine. Paths start at your media root, so the output becomes "${path}" in it.`,
      fix: right.hasFolder
        ? orElse(sendValue(right.path), `${JSON.stringify(path)} if that folder of your media root is meant`)
        : sendValue(right.path),
    });
  }
  const hasBackslash = plan.inputs.some(({ path }) => path.includes('\\'));
  for (const { field, path } of plan.outputs)
    if (path.includes('\\') && !hasBackslash)
      warnings.push({
        field,
        code: 'FOREIGN_PATH',
        message: `${JSON.stringify(path)} has a backslash, which is part of a name here: only "/" separates folders.`,
        fix: sendValue(path.replaceAll(/\\+/g, '/')),
      });
  plan.outputs.forEach(({ field, path, replace }, i) => {
    if (outputs[i]?.kind === 'file' && !replace)
      warnings.push({
        field,
        code: 'OUTPUT_EXISTS',
        message: `"${path}" already exists. The job would fail with OUTPUT_EXISTS and leave the file unchanged.`,
        fix: orElse(addIn('parameters', 'y', ''), 'another output to keep the file'),
      });
  });
  return warnings;
}

const NOT_AN_ID = 'Files have paths, and no ids: send the path of an output of that job, or of the upload.';

/** The fix for several paths in one. undefined for other paths. */
function severalFiles(path: MediaPath): string | undefined {
  const paths = pathsInText(path);
  return paths && `For several files, send "inputs": ${JSON.stringify(paths)}.`;
}

/** The warning about a missing input whose name has a wildcard. undefined for other names. */
function wildcardWarning(field: string, path: MediaPath): Warning | undefined {
  const advice = wildcardAdvice(path);
  if (advice === undefined) return undefined;
  const sequence = { input: path, parameters: { pattern_type: 'glob' } };
  return {
    field,
    code: 'INPUT_NOT_FOUND',
    message: `"${path}" does not exist: ${advice.reason}.`,
    fix: !advice.isSequence
      ? EACH_FILE
      : field === '/input'
        ? addIn('parameters', 'pattern_type', 'glob')
        : field.endsWith('/input')
          ? `Send ${JSON.stringify(sequence)}, with the other parameters of the input.`
          : sendValue(sequence),
  };
}
