import { defined } from '@telecine/contract/domain/defined.ts';
import type { OptionMeaning } from '@telecine/contract/wire/capabilities.ts';
import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { documentedRange, libraryRule } from '../allowlist/encoder-enums.ts';
import { rejectionReasonOf } from '../allowlist/rejected-options.ts';
import { usualQuality } from '../allowlist/usual-quality.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type AvOption, type Component, GENERIC_CLASSES } from '../catalogue/component.ts';
import { parseClasses } from '../catalogue/help-full.ts';

/** Classes that many components share, in words. */
const SHARED = {
  codec: 'every codec',
  format: 'every format',
  scaler: 'the scaler',
  resampler: 'the resampler',
} as const;

/** The meanings of the options of each catalogue, which every search needs. It takes about 40 ms to make them. The garbage collector may drop them. */
const cache = new WeakMap<Catalogue, WeakRef<readonly OptionMeaning[]>>();

/** Returns all meanings of every allowed option: `preset` has different ones for libx264 and libsvtav1. Options of filters are missing. */
export function optionMeanings(catalogue: Catalogue): readonly OptionMeaning[] {
  const cached = cache.get(catalogue)?.deref();
  if (cached !== undefined) return cached;
  const meanings = [...programMeanings(catalogue), ...mergeMeanings(classMeanings(catalogue))];
  cache.set(catalogue, new WeakRef(meanings));
  return meanings;
}

/** The options of the program. The help of newer releases omits some that they have. */
const programMeanings = ({ cli, cliHelp }: Catalogue): readonly OptionMeaning[] =>
  [...CLI_RULES.keys()].flatMap((name) => {
    const facts = cli.get(name);
    const description = cliHelp.get(name) ?? (facts ? "See ffmpeg's documentation." : undefined);
    if (description === undefined || isReplaced(description)) return [];
    const type = facts?.argument === false ? 'flag' : 'value';
    return [{ name, of: ['ffmpeg'], on: facts?.place ?? 'both', type, description }];
  });

/** True if the help of a program option only says which option replaces it. Example: `b`, "video bitrate (please use -b:v)". */
const isReplaced = (help: string): boolean => help.includes('(please use -');

const classMeanings = ({ classes, cli, cliHelp }: Catalogue): readonly OptionMeaning[] =>
  parseClasses(classes).flatMap(([title, options]) => {
    const shared = GENERIC_CLASSES.get(title);
    const isLibrary = shared === 'scaler' || shared === 'resampler';
    const isAllowed = ({ name, readOnly, encoding, decoding }: AvOption): boolean => {
      const isOfProgram = cli.has(name) && !isReplaced(cliHelp.get(name) ?? '');
      const isUsable = !isOfProgram && !readOnly && rejectionReasonOf(name) === undefined;
      return isUsable && (isLibrary || encoding || decoding);
    };
    return options.filter(isAllowed).map((option) => ({
      ...optionView(option, title),
      of: [shared === undefined ? title : SHARED[shared]],
      on: isLibrary ? 'output' : sideOf(option),
      ...mediaOf(option),
    }));
  });

/** Merges meanings that differ only in `of`: the encoders of one family have the same options. */
function mergeMeanings(meanings: readonly OptionMeaning[]): readonly OptionMeaning[] {
  const merged = new Map<string, OptionMeaning>();
  for (const { of, ...same } of meanings) {
    const key = JSON.stringify(same);
    merged.set(key, { ...same, of: [...new Set([...(merged.get(key)?.of ?? []), ...of])] });
  }
  return [...merged.values()];
}

/** The options of a component that a request may set. */
export const componentMeanings = (component: Component): readonly OptionMeaning[] =>
  allowedOptions(component).map((option) => ({
    ...optionView(option, encoderIn(component)),
    of: [component.name],
    on: sideOfKind(component, option),
    ...mediaOf(option),
  }));

/**
 * The options of a component that a request may set. The options of a filter are not compared with `rejectionReasonOf`, which is
 * about options of codecs and formats: a filter's option of the same name does something else.
 */
const allowedOptions = ({ kind, options }: Component): readonly AvOption[] =>
  options.filter(({ name, readOnly }) => !readOnly && (kind === 'filter' || rejectionReasonOf(name) === undefined));

/** The same for the details of the component: the accepted words without their help. */
export const optionViews = (component: Component) =>
  allowedOptions(component).map((option) => {
    const { constants, ...view } = optionView(option, encoderIn(component));
    return { ...view, ...(constants && { constants: constants.map(({ name }) => name) }) };
  });

const encoderIn = ({ kind, name }: Component): string | undefined => (kind === 'encoder' ? name : undefined);

const mediaOf = ({ media }: AvOption) => (media === '' ? {} : { media });

const sideOf = ({ encoding, decoding }: AvOption): 'output' | 'input' | 'both' =>
  encoding ? (decoding ? 'both' : 'output') : 'input';

/** Where to send an option of a component. An option of a bitstream filter has no direction, so both sides have it. */
function sideOfKind({ kind }: Component, option: AvOption): OptionMeaning['on'] {
  if (kind === 'encoder' || kind === 'muxer') return 'output';
  return kind === 'filter' ? 'filter' : kind === 'bsf' ? 'both' : sideOf(option);
}

/** A bound beyond this number means only "any finite number". Replies omit it. */
const NO_BOUND = 1e37;

/** An option as replies show it. A field that does not apply is absent. `encoder`: the encoder that has it. */
function optionView(option: AvOption, encoder = '') {
  const { name, type, help: description, list, fallback = '', deprecated } = option;
  const usual = usualQuality(encoder, name)?.usual;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = rangeOf(option, encoder);
  const constants = wordsOf(option, encoder);
  return {
    ...{ name, type, description },
    ...(list && { list: true as const }),
    ...(min > -NO_BOUND && { min }),
    ...(max < NO_BOUND && { max }),
    ...defined({ usual }),
    // ffmpeg writes a default below the range, such as -1, for an option that is not set.
    ...(fallback !== '' && !(Number(fallback) < min) && { default: fallback }),
    ...(constants.length > 0 && { constants }),
    ...(deprecated && { deprecated: true as const }),
  };
}

/** The range of an option. An encoder library may have a smaller range, which begins at the lowest documented value: -1 only means "not set". */
function rangeOf({ name, min, max, fallback }: AvOption, encoder: string): Pick<AvOption, 'min' | 'max'> {
  const rule = libraryRule(encoder, name);
  if (rule?.takes === 'range') {
    const documented = documentedRange(rule).min;
    return { min: Math.max(documented, min ?? documented), max: Math.min(rule.max, max ?? rule.max) };
  }
  const isUnset = min === -1 && Number(fallback) === -1 && usualQuality(encoder, name) !== undefined;
  return defined({ min: isUnset ? 0 : min, max });
}

/** The accepted words of an option. If ffmpeg itself does not check them, those of the encoder library. */
function wordsOf({ name, constants }: AvOption, encoder: string): AvOption['constants'] {
  const rule = libraryRule(encoder, name);
  if (rule === undefined || rule.takes === 'range' || constants.length > 0) return constants;
  return rule.words.map((word) => ({ name: word, help: '' }));
}
