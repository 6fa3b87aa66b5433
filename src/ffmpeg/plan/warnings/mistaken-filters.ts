import type { Warning } from '../../../domain/plan.ts';
import { type Graph, type GraphChain, type GraphFilter, isGraphError } from '../../filtergraph/graph.ts';
import { printGraph } from '../../filtergraph/print.ts';
import { readPlainNumber } from '../../values/number.ts';
import { sendOption } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/**
 * Warns about filters with values that ffmpeg accepts, but that are certainly mistakes. Each fix is the whole
 * filtergraph.
 *
 * @param isFilm Whether the output has more than one picture.
 */
export const mistakenFilters = (options: readonly ArgvOption[], isFilm: boolean): readonly Warning[] =>
  options.flatMap((option) =>
    (option.graphs?.length === 1 ? option.graphs : []).flatMap((written, index) => {
      const checked = option.checkedGraphs?.[index];
      if (isGraphError(written) || checked === undefined) return [];
      return [...degrees(option, written, checked), ...(isFilm ? paletteAlone(option, written) : [])];
    }),
  );

/** Filters whose angle is in radians, with the names of that option. */
const IN_RADIANS: Readonly<Record<string, readonly string[]>> = { rotate: ['angle', 'a'], vignette: ['angle', 'a'] };

/** These angles are in radians. A plain number above a full turn is probably meant in degrees. */
function degrees(option: ArgvOption, written: Graph, checked: Graph): readonly Warning[] {
  let message: string | undefined;
  const chains = written.chains.map((chain, row) =>
    chain.flatMap((filter, column): GraphChain => {
      const options = checked.chains[row]?.[column]?.options ?? [];
      const angle = options.findIndex(
        ({ key = '', value }) => IN_RADIANS[filter.name]?.includes(key) === true && isDegrees(value),
      );
      const value = options[angle]?.value;
      if (value === undefined) return [filter];
      message ??= `The filter "${filter.name}" reads its angle in radians: ${value} is not ${value} degrees.`;
      return turned(filter, angle, value);
    }),
  );
  if (message === undefined) return [];
  const fix = sendOption(sentName(option), printGraph({ ...written, chains }));
  return [{ field: option.field, code: 'DEGREES', message, fix }];
}

const isDegrees = (value: string): boolean => Math.abs(readPlainNumber(value) ?? 0) > 2 * Math.PI;

/**
 * Returns the filters that turn the picture by `degrees`. For a quarter turn, `transpose` also swaps width and height.
 * Other angles stay with the filter that was sent.
 */
function turned(filter: GraphFilter, index: number, value: string): readonly GraphFilter[] {
  const isAlone = filter.name === 'rotate' && filter.options.length === 1;
  const turn = isAlone ? ((Number(value) % 360) + 360) % 360 : undefined;
  if (turn === 90 || turn === 270)
    return [{ ...filter, name: 'transpose', options: [{ value: turn === 90 ? '1' : '2' }] }];
  if (turn === 180)
    return [
      { ...filter, name: 'hflip', options: [], outputs: [] },
      { ...filter, name: 'vflip', options: [], inputs: [] },
    ];
  const radians = `${value}*PI/180`;
  return [{ ...filter, options: filter.options.map((one, at) => (at === index ? { ...one, value: radians } : one)) }];
}

/** A graph that ends with `palettegen` outputs one picture of 16 by 16 pixels: the palette. */
function paletteAlone(option: ArgvOption, written: Graph): readonly Warning[] {
  const [chain, ...others] = written.chains;
  const last = chain?.at(-1);
  if (chain === undefined || last?.name !== 'palettegen' || others.length > 0) return [];
  const before = chain.slice(0, -1);
  const split = { name: 'split', inputs: before.length > 0 ? [] : last.inputs, outputs: ['film', 'copy'] };
  const use = { name: 'paletteuse', inputs: ['film', 'colors'], outputs: last.outputs };
  const meant: Graph = {
    ...written,
    chains: [
      [...before, { ...split, options: [], at: 0 }],
      [{ ...last, inputs: ['copy'], outputs: ['colors'] }],
      [{ ...use, options: [], at: 0 }],
    ],
  };
  return [
    {
      field: option.field,
      code: 'PALETTE_ONLY',
      message: `"${sentName(option)}" ends with "palettegen", so the output is only the palette, a picture of 16x16.`,
      fix: sendOption(sentName(option), printGraph(meant)),
    },
  ];
}
