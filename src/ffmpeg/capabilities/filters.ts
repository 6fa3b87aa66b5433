import { isUsableDeviceFilter } from '../allowlist/device-filters.ts';
import { FILTERS } from '../allowlist/filters.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Component, Pads } from '../catalogue/component.ts';
import { allowedOptions, type OptionView, optionView } from './option-view.ts';

export interface FilterView {
  readonly name: string;
  readonly description: string;
  /**
   * One letter per input pad: `V` for video, `A` for audio. `N` means that the pads depend on options, `|` that there
   * are none.
   */
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

/** All filters of the build that are allowed. */
export const filterViews = ({ lists, devices }: Catalogue): readonly FilterView[] =>
  [...lists.filters]
    .filter(([name]) => FILTERS.has(name) || isUsableDeviceFilter(name, devices))
    .map(([name, filter]) => ({ name, ...filter }));

export const fullFilterView = (filter: FilterView, component: Component): FullFilterView => ({
  ...filter,
  inputPads: component.inputs ?? [],
  outputPads: component.outputs ?? [],
  options: allowedOptions(component).map(optionView),
});
