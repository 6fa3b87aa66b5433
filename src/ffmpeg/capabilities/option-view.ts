import { libraryRule } from '../allowlist/encoder-enums.ts';
import { rejectionReasonOf } from '../allowlist/rejection-reasons.ts';
import type { AvConstant, AvOption, Component } from '../catalogue/component.ts';

/** One option in a reply. Fields that do not apply are absent. */
export interface OptionView {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** Whether it accepts a list of values. */
  readonly list?: true;
  readonly min?: number;
  readonly max?: number;
  readonly default?: string;
  /** The accepted words. A value is one of them, or several of them for flags (`+a-b`). */
  readonly constants?: readonly string[];
  readonly deprecated?: true;
}

/** An option with a description of each word. */
export interface FullOptionView extends Omit<OptionView, 'constants'> {
  readonly constants?: readonly AvConstant[];
}

/** Bounds above this only mean that a number is finite, so replies omit them. */
const NO_BOUND = 1e37;

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
    ...(min !== undefined && min > -NO_BOUND && { min }),
    ...(max !== undefined && max < NO_BOUND && { max }),
    ...(fallback !== undefined && fallback !== '' && { default: fallback }),
    ...(constants.length > 0 && { constants }),
    ...(more.deprecated && { deprecated: true }),
  };
}

/** The allowed options of a component. Rejection reasons do not apply to options of filters, which have their own names. */
export const allowedOptions = ({ kind, name: component, options }: Component): readonly AvOption[] =>
  options
    .filter(({ name, readOnly }) => !readOnly && (kind === 'filter' || rejectionReasonOf(name) === undefined))
    .map((option) => (kind === 'encoder' ? withLibraryRule(component, option) : option));

/**
 * Adds the words or the range that the encoder library accepts to an option whose value ffmpeg does not check itself.
 */
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
