import { isComparison, measuredKind } from '../../../domain/analysis.ts';
import type { Failure } from '../../../domain/failure.ts';
import type { PlannedAnalysis } from '../../../domain/plan.ts';
import { andList } from '../../../domain/quantity.ts';
import { failed } from './media-failure.ts';

/**
 * The failure of an analysis whose input, or reference, has no stream that it measures. It names the measurements, because the client
 * has sent no filtergraph.
 *
 * @param file The path of the file in quotes, and what it contains.
 * @param isReference Whether the file is the one that comparisons compare with.
 */
export function streamToMeasure(
  { measure }: Pick<PlannedAnalysis, 'measure'>,
  kind: 'audio' | 'video',
  file: { readonly path: string; readonly content: string },
  isReference = false,
): Failure {
  const concerned = measure.filter((one) => measuredKind(one) === kind && (!isReference || isComparison(one)));
  const names = andList(concerned.map((one) => `"${one}"`));
  const verb = concerned.length === 1 ? 'measures' : 'measure';
  const others = concerned.length < measure.length;
  return failed(
    'INPUT_INVALID',
    `${names} ${verb} ${kind}, and ${file.path} has ${file.content}.`,
    `${others ? `Leave ${names} out, or send` : 'Send'} a file with ${kind}.`,
  );
}
