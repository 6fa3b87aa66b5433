import { FILTERS } from '../allowlist/filters.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Component, Pads } from '../catalogue/component.ts';
import { allowedOptions, type OptionView, optionView } from './option-view.ts';

export interface FilterView {
  readonly name: string;
  readonly description: string;
  /** One letter per pad: V(ideo), A(udio); `N`: depends on options; `|`: none. */
  readonly inputs: string;
  readonly outputs: string;
  /** Whether it accepts `enable`, an expression that turns it on and off. */
  readonly timeline: boolean;
}

export interface FullFilterView extends FilterView {
  readonly inputPads: Pads;
  readonly outputPads: Pads;
  readonly options: readonly OptionView[];
}

/** All allowed filters, by name. */
export const filterViews = ({ lists }: Catalogue): readonly FilterView[] =>
  [...lists.filters].filter(([name]) => FILTERS.has(name)).map(([name, filter]) => ({ name, ...filter }));

export const fullFilterView = (filter: FilterView, component: Component): FullFilterView => ({
  ...filter,
  inputPads: component.inputs ?? [],
  outputPads: component.outputs ?? [],
  options: allowedOptions(component).map(optionView),
});
