import { baseName, type MediaPath } from '../../domain/media-path.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import { FIRST_NUMBERS, parseNumberedName } from '../../domain/numbered-name.ts';
import type { PlannedInput, Warning } from '../../domain/plan.ts';
import type { PathStats } from '../ports/path-stats.ts';

/**
 * Warns about sequences of pictures that have no first one, with which the job would fail now. Only where a request is looked into
 * before it runs: a plain submission looks at no more paths than its request names.
 *
 * @param expected The inputs that a job before this one writes.
 */
export async function missingSequences(
  media: PathStats,
  root: MediaRoot,
  { inputs }: { readonly inputs: readonly Pick<PlannedInput, 'path' | 'field' | 'sequence' | 'url'>[] },
  expected: { has(index: number): boolean },
): Promise<readonly Warning[]> {
  const warnings: Warning[] = [];
  for (const [i, { path, field, sequence, url }] of inputs.entries()) {
    if (sequence === undefined || sequence.glob === true || url !== undefined || expected.has(i)) continue;
    const base = baseName(path);
    const name = parseNumberedName(base);
    if (name === undefined) continue;
    const first = sequence.startNumber ?? 0;
    const numbered = Array.from({ length: FIRST_NUMBERS }, (_, n) => name.format(first + n));
    const folder = path.slice(0, path.length - base.length);
    const stats = await media.statPaths(root, [path, ...numbered.map((one) => `${folder}${one}` as MediaPath)]);
    if (stats.some(({ kind }) => kind !== 'missing')) continue;
    warnings.push({
      field,
      code: 'INPUT_NOT_FOUND',
      message: `"${path}" finds no pictures: there is none with a number from ${first} to ${first + FIRST_NUMBERS - 1}. The job fails with INPUT_NOT_FOUND if there is none when it starts.`,
      fix: 'Check the name and the digits of the counter, or send "start_number" if the first number is another one.',
    });
  }
  return warnings;
}
