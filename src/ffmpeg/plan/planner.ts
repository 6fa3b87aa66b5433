import type { ConversionRequest } from '../../domain/conversion.ts';
import { extension, parseMediaPath } from '../../domain/media-path.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Policy } from '../../domain/policy.ts';
import { type FieldError, outputIsInput } from '../../domain/problem.ts';
import { type Catalogue, componentOf } from '../catalogue/catalogue.ts';
import { openingOf, type Parts, singlePass, twoPasses } from './argv.ts';
import { commandFault } from './checks/command-size.ts';
import { checkGraphs } from './checks/filtergraphs.ts';
import { checkInputValues } from './checks/input-values.ts';
import { checkOutputOptions } from './checks/output-options.ts';
import { checkOutputValues } from './checks/output-values.ts';
import { checkLimits, limitWords, withThreadLimit } from './checks/resource-limits.ts';
import { encodersOf, makersOf } from './encoders/stream-encoders.ts';
import { hasSvtLevels } from './encoders/svtav1-parallelism.ts';
import type { Machine } from './encoders/thread-count.ts';
import { byVideos, passesOf } from './encoders/two-pass.ts';
import { targetOf } from './outputs/output-target.ts';
import { checkBsfOptions } from './request/bitstream-filters.ts';
import { hasCounter } from './request/format-names.ts';
import { APART, readReplace, readTwoPass } from './request/overwrite-and-passes.ts';
import { type ReadInput, readInputs } from './request/parse-inputs.ts';
import { type ReadContext, readOptions } from './request/parse-options.ts';
import { chooseFormat, pictureEncoder } from './request/select-muxer.ts';
import { slideshowOf } from './slideshow/slideshow.ts';
import { spanOf } from './trim-range.ts';
import { refuseFilteredCopies } from './warnings/stream-copy-conflicts.ts';
import { warningsOf } from './warnings/warnings.ts';

/** What a plan depends on besides the request. */
export interface PlanFacts {
  readonly catalogue: Catalogue;
  /** The client's media root, an absolute host path. */
  readonly root: string;
  /** Left out: no limits. */
  readonly policy?: Policy;
  /** Processors, as many of which as threads encoders take by themselves; left out: few. */
  readonly cores?: number;
}

export type Planned =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * The argv of a request whose shape was checked, or all that is wrong with it. Pure. The catalogue must hold
 * the facts that `missingFacts` names for the request; otherwise it throws.
 */
export function plan(request: ConversionRequest, facts: PlanFacts): Planned {
  const { catalogue, root, policy = {}, cores = 0 } = facts;
  const machine: Machine = { cores, svtLevels: hasSvtLevels(catalogue.build) };
  const errors: FieldError[] = [];

  const path = parseMediaPath(request.output, root);
  const output = typeof path === 'string' ? path : undefined;
  if (typeof path !== 'string') errors.push({ field: '/output', ...path });
  const kind = output === undefined ? '' : extension(output);
  const format =
    output === undefined && request.format === undefined
      ? undefined
      : chooseFormat(request, kind, catalogue.lists.muxers, errors);

  const context: ReadContext = { catalogue, muxer: format?.muxer, errors };
  const options = readOptions(request.parameters, '/parameters', APART, context);
  const shared = options.filter(({ side }) => side === 'input');
  const given = shared.length === 0 ? options : options.filter(({ side }) => side !== 'input');
  const replace = readReplace(request.parameters, errors);
  const two = readTwoPass(request.parameters, errors);
  const inputs = readInputs(request, root, shared, context);
  checkInputValues(inputs, catalogue, errors);
  const { options: graphed, opened, byContent } = checkGraphs(given, inputs, facts, errors);
  const checked = checkBsfOptions(graphed, catalogue, errors);
  const outputOptions = two ? byVideos(checked, catalogue, errors) : checked;
  checkOutputOptions(outputOptions, countInputs(request) - inputs.length + opened.length, catalogue, errors);
  const muxer = format?.muxer;
  const container = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer);
  const makers = makersOf(outputOptions, container, format?.picture, catalogue);
  const ignored = checkOutputValues(outputOptions, { catalogue, muxer, makers }, errors);
  checkLimits([...options, ...inputs.flatMap((input) => input.options)], policy, machine, errors);
  const tooLong = commandFault(request, inputs, outputOptions, root);
  if (tooLong !== undefined) errors.push(tooLong);
  for (const { planned } of inputs) if (planned.path === output) errors.push(outputIsInput(planned.field));

  if (output === undefined || format === undefined) return { ok: false, errors };
  const show = slideshowOf(opened, outputOptions, format.muxer, catalogue, errors);
  refuseFilteredCopies(outputOptions, makers, errors);
  const streams = show ?? { inputs: opened, options: outputOptions, span: spanOf(opened, outputOptions) };
  const target = targetOf(output, format.muxer, streams.options, root, errors);
  if (errors.length > 0) return { ok: false, errors };
  const targetOptions = withThreadLimit(target.options, makers, policy, machine);
  const parts: Parts = {
    inputs: streams.inputs,
    output: targetOptions,
    muxer: format.muxer,
    logical: target.logical,
    picture: outputOptions.some(({ key }) => VIDEO_CODEC.test(key))
      ? undefined
      : pictureEncoder(format, kind, catalogue.lists.muxers),
    single: format.muxer === 'image2' && !target.dated && !hasCounter(output),
    statsPeriod: catalogue.cli.has('stats_period'),
    limits: limitWords(policy, machine),
  };
  const passes = two ? passesOf(targetOptions, makers) : undefined;
  // The second is the longer one, and what both add was not there before.
  const passTooLong = passes && commandFault(request, inputs, passes[1], root);
  if (passTooLong !== undefined) return { ok: false, errors: [passTooLong] };
  return {
    ok: true,
    plan: {
      inputs: inputs.map((input: ReadInput) => input.planned),
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
      ...(byContent.length === 0 ? {} : { checks: byContent.map(openingOf) }),
      passes: passes === undefined ? [singlePass(parts)] : twoPasses(parts, passes),
      span: streams.span,
      encoders: encodersOf(makers),
      warnings: [
        ...warningsOf(outputOptions, {
          makers,
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
