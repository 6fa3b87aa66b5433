import { libraryRule } from '../allowlist/encoder-enums.ts';
import { rejectionReasonOf } from '../allowlist/rejection-reasons.ts';
import type { AvConstant, AvOption, Component } from '../catalogue/component.ts';

/** One option as it is shown. What does not apply is left out. */
export interface OptionView {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** Takes several values in a list. */
  readonly list?: true;
  readonly min?: number;
  readonly max?: number;
  readonly default?: string;
  /** The words that it takes: one of them, or of flags several (`+a-b`). */
  readonly constants?: readonly string[];
  readonly deprecated?: true;
}

/** The same with what each word means. */
export interface FullOptionView extends Omit<OptionView, 'constants'> {
  readonly constants?: readonly AvConstant[];
}

/** Beyond it a bound says no more than that numbers are finite. */
const ENDLESS = 1e37;

export function optionView(option: AvOption): OptionView {
  const { constants, ...rest } = fullOptionView(option);
  return { ...rest, ...(constants && { constants: constants.map(({ name }) => name) }) };
}

export function fullOptionView({ name, type, help, min, max, fallback, constants, ...more }: AvOption): FullOptionView {
  return {
    name,
    type,
    description: help,
    ...(more.list && { list: true }),
    ...(min !== undefined && min > -ENDLESS && { min }),
    ...(max !== undefined && max < ENDLESS && { max }),
    ...(fallback !== undefined && fallback !== '' && { default: fallback }),
    ...(constants.length > 0 && { constants }),
    ...(more.deprecated && { deprecated: true }),
  };
}

/** The options of a component that a caller may set. The names of a filter's options are a world of their own. */
export const allowedOptions = ({ kind, name: component, options }: Component): readonly AvOption[] =>
  options
    .filter(({ name, readOnly }) => !readOnly && (kind === 'filter' || rejectionReasonOf(name) === undefined))
    .map((option) => (kind === 'encoder' ? withLibraryRule(component, option) : option));

/** With the words and bounds that values are checked by, where ffmpeg hands them to a library unread and tells none. */
export function withLibraryRule(encoder: string, option: AvOption): AvOption {
  const rule = libraryRule(encoder, option.name);
  if (rule?.takes === 'range')
    return {
      ...option,
      min: Math.max(rule.min, option.min ?? rule.min),
      max: Math.min(rule.max, option.max ?? rule.max),
    };
  if (rule === undefined || option.constants.length > 0) return option;
  return { ...option, constants: rule.words.map((name) => ({ name, help: '' })) };
}
