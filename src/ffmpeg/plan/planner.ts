import type { ClientLimits } from '../../domain/client-limits.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { extension, parseMediaPath } from '../../domain/media-path.ts';
import type { Plan } from '../../domain/plan.ts';
import { type FieldError, outputIsInput } from '../../domain/problem.ts';
import { type Catalogue, componentOf } from '../catalogue/catalogue.ts';
import { type ArgvParts, openingArgv, singlePassArgv, twoPassArgvs } from './argv.ts';
import { checkCodecsAndMaps } from './checks/codecs-and-maps.ts';
import { checkCommandSize } from './checks/command-size.ts';
import { checkFiltergraphs } from './checks/filtergraphs.ts';
import { checkInputValues } from './checks/input-values.ts';
import { checkOutputValues } from './checks/output-values.ts';
import { addThreadLimit, checkLimits, limitArgs } from './checks/resource-limits.ts';
import { encoderNames, resolveStreamEncoders } from './encoders/stream-encoders.ts';
import { usesSvtLevels } from './encoders/svtav1-parallelism.ts';
import type { Machine } from './encoders/thread-count.ts';
import { numberVideoOptions, twoPassOptions } from './encoders/two-pass.ts';
import { resolveOutputTarget } from './outputs/output-target.ts';
import { resolveBitstreamFilters } from './request/bitstream-filters.ts';
import { hasCounter } from './request/format-names.ts';
import { HANDLED_ELSEWHERE, readReplace, readTwoPass } from './request/overwrite-and-passes.ts';
import { type ArgvInput, resolveInputs } from './request/resolve-inputs.ts';
import { type OptionContext, resolveOptions } from './request/resolve-options.ts';
import { pictureEncoder, selectFormat } from './request/select-muxer.ts';
import { computeSpan } from './request/trim-range.ts';
import { planSlideshow } from './slideshow/slideshow.ts';
import { rejectFilteredCopies } from './warnings/stream-copy-conflicts.ts';
import { collectWarnings } from './warnings/warnings.ts';

/** What a plan depends on besides the request. */
export interface PlanFacts {
  readonly catalogue: Catalogue;
  /** The client's media root, an absolute host path. */
  readonly root: string;
  /** Left out: no limits. */
  readonly policy?: ClientLimits;
  /** Processors, as many of which as threads encoders take by themselves; left out: few. */
  readonly cores?: number;
}

export type PlanOrErrors =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * The argv of a request whose shape was checked, or all that is wrong with it. Pure. The catalogue must hold
 * the facts that `missingFacts` names for the request; otherwise it throws.
 */
export function plan(request: ConversionRequest, facts: PlanFacts): PlanOrErrors {
  const { catalogue, root, policy = {}, cores = 0 } = facts;
  const machine: Machine = { cores, svtLevels: usesSvtLevels(catalogue.build) };
  const errors: FieldError[] = [];

  const path = parseMediaPath(request.output, root);
  const output = typeof path === 'string' ? path : undefined;
  if (typeof path !== 'string') errors.push({ field: '/output', ...path });
  const kind = output === undefined ? '' : extension(output);
  const format =
    output === undefined && request.format === undefined
      ? undefined
      : selectFormat(request, kind, catalogue.lists.muxers, errors);

  const context: OptionContext = { catalogue, muxer: format?.muxer, errors };
  const options = resolveOptions(request.parameters, '/parameters', HANDLED_ELSEWHERE, context);
  const shared = options.filter(({ side }) => side === 'input');
  const given = shared.length === 0 ? options : options.filter(({ side }) => side !== 'input');
  const replace = readReplace(request.parameters, errors);
  const two = readTwoPass(request.parameters, errors);
  const inputs = resolveInputs(request, root, shared, context);
  checkInputValues(inputs, catalogue, errors);
  const { options: graphed, opened, byContent } = checkFiltergraphs(given, inputs, facts, errors);
  const checked = resolveBitstreamFilters(graphed, catalogue, errors);
  const outputOptions = two ? numberVideoOptions(checked, catalogue, errors) : checked;
  checkCodecsAndMaps(outputOptions, countInputs(request) - inputs.length + opened.length, catalogue, errors);
  const muxer = format?.muxer;
  const container = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer);
  const encoders = resolveStreamEncoders(outputOptions, container, format?.picture, catalogue);
  const ignored = checkOutputValues(outputOptions, { catalogue, muxer, encoders }, errors);
  checkLimits([...options, ...inputs.flatMap((input) => input.options)], policy, machine, errors);
  const tooLong = checkCommandSize(request, inputs, outputOptions, root);
  if (tooLong !== undefined) errors.push(tooLong);
  for (const { source } of inputs) if (source.path === output) errors.push(outputIsInput(source.field));

  if (output === undefined || format === undefined) return { ok: false, errors };
  const show = planSlideshow(opened, outputOptions, format.muxer, catalogue, errors);
  rejectFilteredCopies(outputOptions, encoders, errors);
  const streams = show ?? { inputs: opened, options: outputOptions, span: computeSpan(opened, outputOptions) };
  const target = resolveOutputTarget(output, format.muxer, streams.options, root, errors);
  if (errors.length > 0) return { ok: false, errors };
  const targetOptions = addThreadLimit(target.options, encoders, policy, machine);
  const parts: ArgvParts = {
    inputs: streams.inputs,
    output: targetOptions,
    muxer: format.muxer,
    logical: target.logical,
    picture: outputOptions.some(({ key }) => VIDEO_CODEC.test(key))
      ? undefined
      : pictureEncoder(format, kind, catalogue.lists.muxers),
    single: format.muxer === 'image2' && !target.dated && !hasCounter(output),
    statsPeriod: catalogue.cli.has('stats_period'),
    limits: limitArgs(policy, machine),
  };
  const passes = two ? twoPassOptions(targetOptions, encoders) : undefined;
  // The second is the longer one, and what both add was not there before.
  const passTooLong = passes && checkCommandSize(request, inputs, passes[1], root);
  if (passTooLong !== undefined) return { ok: false, errors: [passTooLong] };
  return {
    ok: true,
    plan: {
      inputs: inputs.map((input: ArgvInput) => input.source),
      output: {
        logical: target.logical,
        path: output,
        folder: target.folder,
        muxer: format.muxer,
        replace,
        ...(target.dated && { dated: true }),
        ...(target.manifest === undefined ? {} : { manifest: target.manifest }),
        ...(target.folders.length === 0 ? {} : { folders: target.folders }),
      },
      ...(byContent.length === 0 ? {} : { checks: byContent.map(openingArgv) }),
      passes: passes === undefined ? [singlePassArgv(parts)] : twoPassArgvs(parts, passes),
      span: streams.span,
      encoders: encoderNames(encoders),
      warnings: [
        ...collectWarnings(outputOptions, {
          encoders,
          muxer: format.muxer,
          catalogue,
          onePassOnly: two && passes === undefined,
        }),
        ...ignored,
        ...target.warnings,
      ],
    },
  };
}

const VIDEO_CODEC = /^c(?::[vV0].*)?$/;

const countInputs = (request: ConversionRequest): number => request.inputs?.length ?? 1;
