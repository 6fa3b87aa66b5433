import { readCommand, readOptions } from '@telecine/contract/domain/command-line.ts';
import type { OptionText } from '@telecine/contract/domain/conversion.ts';
import {
  type Edits,
  leaveOut,
  orElse,
  sendIn,
  sendMember,
  sendMembers,
  sendOption,
} from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { mayHoldSecrets } from '@telecine/contract/domain/secret-options.ts';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import { fieldOfOption, isProbeOption, OF_FFPROBE } from '@telecine/contract/domain/synonyms/field-words.ts';
import {
  adviceOf,
  backwardRange,
  joinedMaps,
  meansQuality,
  type OptionMeaning,
  optionMeanings,
} from '@telecine/contract/domain/synonyms/option-meanings.ts';
import { bareWord, FIT_NAME, fittedSize } from '@telecine/contract/domain/synonyms/value-words.ts';
import { qualityOption } from '../../allowlist/encoder-options.ts';
import { FILTERS } from '../../allowlist/filters.ts';
import { quantizerOfPercent } from '../../allowlist/usual-quality.ts';
import { type Catalogue, componentOf, encoderNamed, encoderOfCodec, kindOfLetter } from '../../catalogue/catalogue.ts';
import { type Graph, type GraphError, isGraphError } from '../../filtergraph/graph.ts';
import { suggestedValue } from '../../values/value-error.ts';
import { findFormat } from './format-names.ts';
import { meantEncoder, stableEncoder } from './meant-encoder.ts';
import { checkSuggestion } from './option-values.ts';
import { isMisnamed, type ParsedOption, type ParsedOptions, parseOption } from './parse-request.ts';

/** What the meaning of an option depends on. */
interface MeaningContext {
  /** All options that the client sent in the same object. */
  readonly parsed: ParsedOptions;
  readonly catalogue: Catalogue;
  readonly muxer: string | undefined;
  /** True if the output has no video. */
  readonly audioOnly: boolean;
  /** True if `resolveOptions` does not know the option, or if nothing uses it. */
  isUnknown(option: ParsedOption): boolean;
}

interface TranslationContext extends MeaningContext {
  /** The video encoder that another unknown option names, such as `codec`. Empty: no other option names one. */
  readonly meantEncoder: string;
}

/** The maximum length of a value that a fix repeats, in characters. */
const MAX_VALUE = 500;

/** Returns a function that returns the fix for an unknown option. Several such options may mean one: two filters become one `vf`. */
export function meaningFixes(context: MeaningContext): (option: ParsedOption) => Hint | undefined {
  const known = new Map<string, ParsedOption>();
  const unknown: ParsedOption[] = [];
  for (const option of context.parsed) {
    if (isMisnamed(option)) continue;
    if (context.isUnknown(option)) unknown.push(option);
    else known.set(option.key, option);
  }
  const merged = new Map<string, { readonly name: string; value: OptionText }>();
  const translations = new Map<ParsedOption, Translation>();
  const said = new Set<string>();
  // Handle qualities last: their option depends on the encoder, which another unknown option may name.
  const qualities = unknown.filter(({ name }) => meansQuality(name.name));
  for (const option of [...unknown.filter((one) => !qualities.includes(one)), ...qualities]) {
    const meant = translate(option, unknown, { ...context, meantEncoder: String(merged.get('c:v')?.value ?? '') });
    if (meant === undefined) continue;
    const taken = meant.options.find(({ key }) => !JOINED.has(key) && (known.has(key) || merged.has(key)));
    const same = taken !== undefined && merged.get(taken.key)?.value === taken.value;
    translations.set(option, taken === undefined || same ? meant : { ...meant, taken: taken.key });
    if (taken !== undefined) continue;
    for (const { key, name, value } of meant.options) {
      // `width` and `height` together mean one size, so both become the same option.
      const text = `${key}=${value}`;
      if (said.has(text)) continue;
      said.add(text);
      const before = merged.get(key)?.value ?? known.get(key)?.value;
      merged.set(key, {
        name: known.get(key)?.sentName ?? name,
        value: before === undefined ? value : join(key, before, value),
      });
    }
  }
  return (option) => {
    const field = fieldFix(option, context);
    if (field !== undefined) return field;
    const meant = translations.get(option);
    // A known word may mean nothing for this output, such as the width of audio. Then suggest no similar name.
    if (meant === undefined) return optionMeanings(option.name.name) && leaveOut();
    const other = meant.taken === undefined ? undefined : merged.get(meant.taken);
    if (other !== undefined) {
      const own = meant.options.find(({ key }) => key === meant.taken)?.value;
      const fix = orElse(sendMember(other.name, other.value), sendMember(other.name, own));
      return { ...fix, note: 'The first value is from another option.' };
    }
    if (meant.taken !== undefined) {
      const set = known.get(meant.taken);
      const name = set?.sentName ?? meant.taken;
      const own = meant.isExample ? undefined : meant.options.find(({ key }) => key === meant.taken)?.value;
      return own === undefined || set === undefined || own === set.value || typeof set.value !== 'string'
        ? leaveToOther(name)
        : orElse(leaveOut(undefined, `"${name}" is ${JSON.stringify(set.value)} already`), sendOption(name, own));
    }
    if (meant.advice !== undefined) return meant.advice;
    const members = meant.options.map(({ key }) => merged.get(key)).filter((one) => one !== undefined);
    const fix = sendMembers(Object.fromEntries(members.map(({ name, value }) => [name, value])));
    return meant.isExample ? { ...fix, isExample: true } : fix;
  };
}

/** The fix for an option if the request has another option with this meaning. Either of the two values may be wrong. */
export const leaveToOther = (name: string): Edits =>
  orElse(leaveOut(undefined, `"${name}" is set already`), `change the value of "${name}"`);

/** Options whose values can be joined: filters to a chain, tags and maps to a list. */
const JOINED: ReadonlySet<string> = new Set(['filter:v', 'filter:a', 'metadata', 'map']);

const join = (key: string, before: OptionText, value: OptionText): OptionText => {
  if (key === 'map') return joinedMaps(before, value);
  return key === 'metadata' ? [before, value].flat() : `${before},${value}`;
};

interface MeantOption {
  readonly key: string;
  /** The name to suggest, as a client would send it: `vf`, not `filter:v`. */
  readonly name: string;
  readonly value: OptionText;
}

interface Translation {
  readonly options: readonly MeantOption[];
  readonly isExample: boolean;
  /** The advice to give instead of options. */
  readonly advice?: Edits | string;
  /** The key of an option that the request already sets to another value. */
  readonly taken?: string;
}

function translate(
  option: ParsedOption,
  unknown: readonly ParsedOption[],
  context: TranslationContext,
): Translation | undefined {
  const [only, ...more] = [option.value].flat();
  const sent = isRange(option) ? [only, ...more].join('-') : more.length === 0 ? only : undefined;
  const value = typeof sent === 'string' && sent.length <= MAX_VALUE ? sent.trim() : undefined;
  const backwards = value === undefined ? undefined : backwardRange(option.name.name, value);
  if (backwards !== undefined) return { options: [], isExample: false, advice: backwards };
  const meanings = [
    ...bothSides(option, unknown),
    ...qualityMeanings(option, context),
    ...(optionMeanings(option.name.name) ?? filterMeanings(option.name.name, context)),
  ];
  for (const meaning of meanings) {
    const { value: pattern, output, muxer, advice, send } = meaning;
    if (muxer?.test(context.muxer ?? '') === false) continue;
    if (output !== undefined && (output === 'audio') !== isForAudio(option, context)) continue;
    if (pattern !== undefined && (value === undefined || !pattern.test(value))) continue;
    if (advice !== undefined) return { options: [], isExample: false, advice: adviceOf(meaning, value) ?? advice };
    const options = Object.entries(send).map(([name, template]) => {
      if (typeof template !== 'string')
        return { key: name, name, value: template.map((one) => value?.replace(pattern ?? value, one) ?? one) };
      // The template `$&` keeps the sent value. If the value itself were the template, `replace` would interpret a `$` in it.
      const text = pattern === undefined || value === undefined ? template : value.replace(pattern, template);
      return validOption(name, pattern === undefined ? template : text, option, context);
    });
    if (options.every((one) => one !== undefined)) return { options, isExample: pattern === undefined };
  }
  return undefined;
}

/** True if the value of an option is a list of two times: the start and the end of a part. */
const isRange = ({ name, value }: ParsedOption): boolean =>
  typeof value !== 'string' &&
  value.length === 2 &&
  /^(?:subclip|clip|cut|trim|range|timerange|segment)$/.test(bareWord(name.name));

const isForAudio = ({ name: { specifier = '' } }: ParsedOption, { audioOnly }: MeaningContext): boolean =>
  /^[va](?::|$)/.test(specifier) ? specifier.startsWith('a') : audioOnly;

/** The size that `width` and `height` mean together. With `fit` or `crop`, the video is fitted into it. */
function bothSides(option: ParsedOption, unknown: readonly ParsedOption[]): readonly OptionMeaning[] {
  const side = (pattern: RegExp) =>
    unknown.find(({ name, value }) => pattern.test(bareWord(name.name)) && /^\d+(?:px)?$/.test(String(value)));
  const [width, height] = [
    side(/^(?:(?:video|output|target)?width|w)$/),
    side(/^(?:(?:video|output|target)?height|h)$/),
  ];
  if (width === undefined || height === undefined) {
    const isOfNothing = FIT_NAME.test(option.name.name) && fittedSize('1', '1', String(option.value)) !== undefined;
    const advice = leaveOut(undefined, 'one side determines the other');
    return isOfNothing && (width ?? height) !== undefined ? [{ value: /^.*$/, advice, send: {} }] : [];
  }
  const [w = '', h = ''] = [width, height].map((one) => String(Number.parseInt(String(one.value), 10)));
  const mode = unknown.find(({ name }) => FIT_NAME.test(name.name));
  const gravity = unknown.find(({ name }) => name.name === 'gravity');
  const fitted = mode && fittedSize(w, h, String(mode.value), String(gravity?.value ?? ''));
  if (option !== width && option !== height && ((option !== mode && option !== gravity) || fitted === undefined))
    return [];
  return [{ output: 'video', value: /^.*$/, send: fitted === undefined ? { s: `${w}x${h}` } : { vf: fitted } }];
}

/** The filter that a client sent as an option. It must have one input and one output of the same kind. */
function filterMeanings(name: string, { catalogue: { lists } }: MeaningContext): readonly OptionMeaning[] {
  const filter = lists.filters.get(name);
  if (filter === undefined || !FILTERS.has(name) || filter.inputs !== filter.outputs) return [];
  const option = { V: 'vf', A: 'af' }[filter.inputs];
  if (option === undefined) return [];
  return [
    { value: /^(?:true|yes|on|)$/i, send: { [option]: name } },
    { value: /^.+$/s, send: { [option]: `${name}=$&` } },
  ];
}

/** Matches a quality in percent, where 100 is the best. Numbers below 32 can be on ffmpeg's own scale. */
const PERCENTAGE = /^(3[2-9]|[4-9]\d|100) ?%?$/;

/** The quality option of the encoder that writes the video. */
function qualityMeanings(option: ParsedOption, context: TranslationContext): readonly OptionMeaning[] {
  if (!meansQuality(option.name.name)) return [];
  const quality = qualityOption(videoEncoder(context) ?? '');
  if (quality === undefined || context.audioOnly) return [];
  const [name, usable, example] = quality;
  const percent = PERCENTAGE.exec(String(option.value))?.[1];
  return [
    { value: usable, send: { [name]: '$&' } },
    ...(name === 'q:v' && percent !== undefined
      ? [{ value: PERCENTAGE, send: { [name]: String(quantizerOfPercent(Number(percent))) } }]
      : []),
    { value: /^(?:auto|default|original|same)$/i, advice: leaveOut(), send: {} },
    { send: { [name]: example } },
  ];
}

/** The encoder of the first video, by the options or by default of the muxer. */
function videoEncoder(context: TranslationContext): string | undefined {
  const { parsed, catalogue, muxer, meantEncoder: meant } = context;
  for (const option of parsed) {
    if (isMisnamed(option) || typeof option.value !== 'string') continue;
    const { name, specifier } = option.name;
    if (name !== 'c' || !/^(?:[vV].*)?$/.test(specifier ?? '')) continue;
    const encoder = encoderNamed(catalogue, option.value);
    if (encoder?.kind === 'video') return encoder.name;
  }
  if (meant !== '') return encoderNamed(catalogue, meant)?.name;
  const codec = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer)?.defaultCodecs?.video;
  return codec === undefined ? undefined : encoderOfCodec(catalogue, codec)?.name;
}

/** Returns the option with the sent value, or else with the value that the error about it suggests. undefined: neither is valid. */
function validOption(
  name: string,
  value: string,
  sent: ParsedOption,
  context: MeaningContext,
): MeantOption | undefined {
  const { specifier } = sent.name;
  const fullName =
    specifier === undefined || name.includes(':') || /^[va]f$/.test(name) ? name : `${name}:${specifier}`;
  const codec = meantCodec(fullName, value, context.catalogue);
  const first = parseOption(fullName, codec ?? value, sent.field);
  if (isMisnamed(first) || first.graphs?.some((graph) => !isKnownGraph(graph, context)) === true) return undefined;
  const { key } = first;
  const error = checkSuggestion(first.name, first.value, context.catalogue);
  if (error === undefined) return { key, name: fullName, value: codec ?? value };
  const better = suggestedValue(error);
  // Suggest the option with this timecode although it is invalid: the error about it explains how to count frames.
  if (better === undefined)
    return error.code === 'BAD_TIME' && /^\d+:/.test(value) ? { key, name: fullName, value } : undefined;
  const second = parseOption(fullName, better, sent.field);
  const isBetter = !isMisnamed(second) && checkSuggestion(second.name, better, context.catalogue) === undefined;
  return isBetter ? { key, name: fullName, value: better } : undefined;
}

/** True if a graph is well-formed, and ffmpeg has its filters. */
const isKnownGraph = (graph: Graph | GraphError, { catalogue: { lists } }: MeaningContext): boolean =>
  !isGraphError(graph) && graph.chains.every((chain) => chain.every(({ name }) => lists.filters.has(name)));

/** The encoder that the client means in an option for a codec. undefined: another option. */
function meantCodec(name: string, value: string, catalogue: Catalogue): string | undefined {
  const kind = kindOfLetter(/^c:([vas])/.exec(name)?.[1] ?? '');
  if (kind === undefined || value === 'copy') return undefined;
  const encoder = encoderNamed(catalogue, value);
  if (encoder?.kind === kind) return encoder.experimental ? stableEncoder(encoder.codec, catalogue) : value;
  // `?` stands for an unknown encoder: no option accepts it.
  return meantEncoder(value, kind, catalogue) ?? '?';
}

/** Matches names of options in which clients send a whole command or its options. */
const COMMAND =
  /^(?:extra|ffmpeg|raw|custom|additional|other|more|cli|command)?(?:args?|arguments|options|opts|params|parameters|flags|command|cmd|cli|commandline)$/;

/** The fix for a command line in the value of an option: `{"args": "-vf scale=640:-2"}`. undefined: another value. */
function commandFix({ name, value }: ParsedOption): Hint | undefined {
  if (!COMMAND.test(bareWord(name.name)) || [value].flat().some(mayHoldSecrets)) return undefined;
  const command = readCommand(typeof value === 'string' ? value : value.map(shellWord).join(' '));
  if (command !== undefined)
    return {
      edits: Object.entries(command).map(([part, sent]) => ({ do: 'send', name: part, value: sent, in: 'request' })),
    };
  const options = readOptions(value) ?? {};
  return Object.keys(options).length === 0 ? undefined : sendMembers(options);
}

function fieldFix(option: ParsedOption, { catalogue }: MeaningContext): Hint | undefined {
  const { name, value } = option;
  if (isProbeOption(name.name)) return OF_FFPROBE;
  const command = commandFix(option);
  if (command !== undefined) return command;
  const own = requestFieldFix(name.name, value);
  if (own !== undefined) return own;
  const field = fieldOfOption(name.name);
  if (field === undefined) return undefined;
  if (field !== 'format') return leaveOut(undefined, `the ${field} is the field "${field}" of the request`);
  if (typeof value !== 'string' || !('format' in findFormat(value, catalogue.lists.muxers)))
    return leaveOut(undefined, 'the container is the field "format" of the request');
  return sendIn({ beside: 'parameters' }, 'format', value);
}

/** Fields of a request that clients send as options by mistake, each with a pattern of its values (a text or a boolean). */
const REQUEST_FIELDS: Readonly<Record<string, RegExp>> = {
  join: /^(?:encode|copy)$/,
  each: /./,
  dryRun: /^(?:true|false)$/,
  strict: /^(?:true|false)$/,
  idempotencyKey: /./,
};

/** The fix for a field of the request in "parameters". The fix repeats no URL, which may have a secret. */
function requestFieldFix(name: string, value: OptionText): Hint | undefined {
  const values = Object.hasOwn(REQUEST_FIELDS, name) ? REQUEST_FIELDS[name] : undefined;
  if (values === undefined || typeof value !== 'string' || !values.test(value) || value.length > MAX_VALUE)
    return /^(?:callbackUrl|encrypt|after|priority|expiresAfterSeconds|inputs|outputs)$/.test(name)
      ? `Send "${name}" beside "parameters": it is a field of the request.`
      : undefined;
  return sendIn({ beside: 'parameters' }, name, /^(?:true|false)$/.test(value) ? value === 'true' : value);
}
