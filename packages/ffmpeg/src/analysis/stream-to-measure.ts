import { isComparison, measuredKind } from '@telecine/contract/domain/analysis.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { PlannedAnalysis } from '@telecine/contract/domain/plan.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';

/** Explains an analysis of a kind of stream that a file lacks. `content`: what the file has: `no audio, only video`. */
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
  return {
    code: 'INPUT_INVALID',
    message: `${names} ${verb} ${kind}, and ${file.path} has ${file.content}.`,
    fix: `${others ? `Leave ${names} out, or send` : 'Send'} a file with ${kind}.`,
  };
}
