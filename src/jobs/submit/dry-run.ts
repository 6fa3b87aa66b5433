import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { Plan, Warning } from '../../domain/plan.ts';
import type { DryRun } from '../operations.ts';
import type { PathStats, Planner } from '../ports.ts';
import { type CheckedRequest, checkRequest } from './check-request.ts';

/** Plans a request without queuing it, and warns if the job would fail now. Throws INVALID_REQUEST. */
export async function dryRunRequest(
  deps: { readonly planner: Planner; readonly media: PathStats },
  caller: Caller,
  request: ConversionRequest,
): Promise<DryRun> {
  const checked = await checkRequest(deps, caller, request);
  const { plan } = checked;
  const { logical, path, muxer, replace } = plan.output;
  return {
    argv: plan.passes.map((pass) => ['ffmpeg', ...pass]),
    plan: {
      inputs: plan.inputs.map((input) => ({ name: input.logical, path: input.path })),
      output: { name: logical, path, muxer, replace },
      encoders: plan.encoders,
      passes: plan.passes.length,
    },
    warnings: [...plan.warnings, ...pathWarnings(checked)],
  };
}

function pathWarnings({ plan, output, inputs }: CheckedRequest<Plan>): Warning[] {
  const warnings: Warning[] = [];
  for (const [i, { path, field, sequence }] of plan.inputs.entries())
    if (sequence === undefined && inputs[i]?.kind === 'missing')
      warnings.push({
        field,
        code: 'INPUT_NOT_FOUND',
        message: `"${path}" does not exist yet. The job fails with INPUT_NOT_FOUND if it does not exist when the job starts.`,
        fix: 'Check the path, or create the file first.',
      });
  if (output.kind === 'file' && !plan.output.replace)
    warnings.push({
      field: '/output',
      code: 'OUTPUT_EXISTS',
      message: `"${plan.output.path}" already exists. The job would fail with OUTPUT_EXISTS and leave the file unchanged.`,
      fix: 'Send another output, or "y": "" in "parameters" to replace the file.',
    });
  return warnings;
}
