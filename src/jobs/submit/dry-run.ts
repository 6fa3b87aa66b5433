import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { Warning } from '../../domain/plan.ts';
import type { DryRun } from '../operations.ts';
import type { PathStats, Planner } from '../ports.ts';
import { checkRequest } from './check-request.ts';

/** What a submission would run, and what would come in its way if it ran now. Throws the 400. */
export async function dryRunRequest(
  deps: { readonly planner: Planner; readonly media: PathStats },
  caller: Caller,
  request: ConversionRequest,
): Promise<DryRun> {
  const plan = await checkRequest(deps, caller, request);
  const paths = [plan.output.path, ...plan.inputs.map(({ path }) => path)];
  const [output, ...inputs] = await deps.media.statPaths(caller.root, paths);
  const warnings: Warning[] = [];
  for (const [i, { path, field, sequence }] of plan.inputs.entries())
    if (sequence === undefined && inputs[i]?.kind === 'missing')
      warnings.push({
        field,
        code: 'INPUT_NOT_FOUND',
        message: `"${path}" is not there yet: the job fails with INPUT_NOT_FOUND if it is not there when its turn comes.`,
        fix: 'Check the path, or put the file there first.',
      });
  if (output?.kind === 'file' && !plan.output.replace)
    warnings.push({
      field: '/output',
      code: 'OUTPUT_EXISTS',
      message: `"${plan.output.path}" is there already: the job would fail with OUTPUT_EXISTS, and nothing would be touched.`,
      fix: 'Send another output, or "y": "" in "parameters" to replace it.',
    });
  const { path, muxer, replace } = plan.output;
  return {
    argv: plan.passes.map((pass) => ['ffmpeg', ...pass]),
    plan: {
      inputs: plan.inputs.map(({ logical, path: from }) => ({ name: logical, path: from })),
      output: { name: plan.output.logical, path, muxer, replace },
      encoders: plan.encoders,
      passes: plan.passes.length,
    },
    warnings: [...plan.warnings, ...warnings],
  };
}
