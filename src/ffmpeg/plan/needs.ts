import { deviceNeed } from '../../domain/devices.ts';
import type { Plan } from '../../domain/plan.ts';
import { inputFormatNamed } from '../allowlist/input-formats.ts';
import { type Catalogue, decoderNamed, LIST_OF } from '../catalogue/catalogue.ts';
import type { ComponentKind } from '../catalogue/component.ts';
import { isMisnamed, type ParsedOption, type ParsedOptions, type ParsedRequest } from './request/parse-request.ts';
import { requiredComponents } from './required-facts.ts';

/** How many characters of a build's key a need contains. */
const KEY_LENGTH = 16;

/**
 * Returns what a job needs of its worker, sorted: what its plan requires, all builds that accept the request have, and
 * some build that rejects it lacks, such as `encoder:libsvtav1`. If that does not explain why a build rejects it (an
 * option of an encoder may have fewer values there), adds a need for one of the builds that accept it: `build:KEY|KEY`.
 * Empty if no build rejects it.
 */
export function needsOf(
  requirements: readonly string[],
  accepting: readonly Catalogue[],
  rejecting: readonly Catalogue[],
): readonly string[] {
  const needs = requirements.filter(
    (need) => accepting.every((one) => meetsNeed(one, need)) && rejecting.some((one) => !meetsNeed(one, need)),
  );
  const isExplained = rejecting.every((one) => needs.some((need) => !meetsNeed(one, need)));
  const builds = accepting.map(shortKey).sort().join('|');
  return [...new Set(isExplained ? needs : [...needs, `build:${builds}`])].sort();
}

/** Whether a worker with this ffmpeg meets a need of a job. */
export function meetsNeed(catalogue: Catalogue, need: string): boolean {
  const separator = need.indexOf(':');
  const [kind, name] = [need.slice(0, separator), need.slice(separator + 1)];
  if (kind === 'option') return hasOption(catalogue, name);
  if (kind === 'speech') return catalogue.speech === true;
  if (kind === 'device') return catalogue.devices?.has(name) === true;
  if (kind === 'build') return name.split('|').includes(shortKey(catalogue));
  return kind in LIST_OF && catalogue.lists[LIST_OF[kind as ComponentKind]].has(name);
}

/** Returns what the plan of a request requires of a build: its components, and options by name. */
export function requirementsOf(request: ParsedRequest, plan: Plan, catalogue: Catalogue): readonly string[] {
  const [{ inputs } = { inputs: [] }] = request.outputs;
  const encoders = plan.outputs
    .flatMap((output) => Object.values(output.encoders).flat())
    .filter((name) => name !== 'copy');
  return [
    ...plan.outputs.map(({ muxer }) => `muxer:${muxer}`),
    ...encoders.map((name) => `encoder:${name}`),
    ...deviceNeeds(plan),
    ...(plan.transcript === undefined ? [] : ['speech:model']),
    ...requiredComponents(request, catalogue).map(({ kind, name }) => `${kind}:${name}`),
    ...inputs.flatMap(({ options }) => inputComponents(named(options), catalogue)),
    ...[...request.outputs, ...inputs].flatMap(({ options }) => named(options).flatMap(optionRequirements)),
  ];
}

/** What a plan needs of a hardware device. Jobs wait for a device even if all workers have one: each takes a few at a time. */
export const deviceNeeds = ({ devices = [] }: Pick<Plan, 'devices'>): readonly string[] => devices.map(deviceNeed);

/** ffmpeg's own options are also known by name if a query has shown that the build lacks them. */
const hasOption = ({ cli, avOptions }: Catalogue, name: string): boolean =>
  avOptions.has(name) || (cli.has(name) && cli.get(name)?.place !== 'nowhere');

const shortKey = ({ build }: Catalogue): string => build.key.slice(0, KEY_LENGTH);

const named = (options: ParsedOptions): readonly ParsedOption[] =>
  options.filter((option): option is ParsedOption => !isMisnamed(option));

/** The decoder and the demuxer that an input names, which need no facts if the input has no other options. */
const inputComponents = (options: readonly ParsedOption[], catalogue: Catalogue): readonly string[] =>
  options.flatMap(({ name, value }) => {
    if (typeof value !== 'string') return [];
    const decoder = name.name === 'c' ? decoderNamed(catalogue, value)?.name : undefined;
    const demuxer = name.name === 'f' ? inputFormatNamed(value) : undefined;
    return [
      ...(decoder === undefined ? [] : [`decoder:${decoder}`]),
      ...(demuxer === undefined ? [] : [`demuxer:${demuxer}`]),
    ];
  });

const optionRequirements = ({ name, bitstreamFilters = [] }: ParsedOption): readonly string[] => [
  `option:${name.name}`,
  ...('error' in bitstreamFilters ? [] : bitstreamFilters.map((bsf) => `bsf:${bsf.name}`)),
];
