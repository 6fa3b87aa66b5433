import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import type { Series } from './plot.tsx';
import { gridLines, type ValueKind } from './plot-scale.ts';
import { type TimeLabel, timeLabels } from './time-labels.ts';

interface Props {
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly kind: ValueKind;
  readonly format: (value: number) => string;
  readonly formatTime: (seconds: number) => string;
}

/** Draws values over time. It fills its parent element. */
export function PlotCanvas({ times, series, kind, format, formatTime }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const theme = useTheme();
  const data = useRef<uPlot.AlignedData>([[]]);
  data.current = [[...times], ...series.map(({ values }) => [...values])] as uPlot.AlignedData;
  // Build the plot again only if its style changes. For new values, `setData` is enough.
  const look = `${theme} ${series.map(({ name, colour, shape }) => `${name} ${colour} ${shape}`).join()}`;
  const drawn = useRef({ series, kind, format, formatTime });
  drawn.current = { series, kind, format, formatTime };

  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` stands for what the plot looks like.
  useEffect(() => {
    const parent = frame.current;
    if (parent === null) return;
    const options = optionsOf(drawn, colourReader(parent), sizeOf(parent));
    const built = new uPlot(options, data.current, parent);
    plot.current = built;
    const observer = new ResizeObserver(() => built.setSize(sizeOf(parent)));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      built.destroy();
      plot.current = undefined;
    };
  }, [look]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `data` follows these.
  useEffect(() => plot.current?.setData(data.current), [times, series]);

  return <div ref={frame} style={{ width: '100%', height: '100%' }} />;
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } => ({
  width: clientWidth,
  height: clientHeight,
});

/** Returns a function that converts a colour of a style sheet to one that a canvas accepts. */
function colourReader(parent: HTMLElement): (text: string) => string {
  return (text) => {
    parent.style.color = text;
    const { color } = getComputedStyle(parent);
    parent.style.color = '';
    return color;
  };
}

const FONT = '12px "Inter Variable", system-ui, sans-serif';

/** The average width of a character in pixels. */
const CHARACTER = 7;

/** In pixels. With many steps, bars would be narrower than one pixel. */
const MIN_BAR = 3;
const MAX_BAR = 12;

/** The minimum room for half a bar at each side, as a share of the width. */
const MIN_ROOM = 0.006;

/** The minimum width of the labels of the values, so that plots beside each other begin at the same place. */
const MIN_LABELS = 46;

function optionsOf(
  drawn: { readonly current: Omit<Props, 'times'> },
  colour: (text: string) => string,
  size: { readonly width: number; readonly height: number },
): uPlot.Options {
  const hasBars = drawn.current.series.some(({ shape }) => shape === 'bars');
  // Two bars of a step are beside each other, so that none hides the other.
  const isPair = drawn.current.series.length === 2 && drawn.current.series.every(({ shape }) => shape === 'bars');
  const axis = {
    stroke: colour('var(--ink-soft)'),
    font: FONT,
    grid: { stroke: colour('var(--line)'), width: 1 },
    ticks: { show: false },
  };
  // uPlot asks for the places of the labels, and then for their texts.
  let labels: readonly TimeLabel[] = [];
  return {
    ...size,
    legend: { show: false },
    padding: [8, 4, 0, 0],
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { range: (plot, min, max) => (hasBars ? withRoom(min, max, plot.data[0].length) : [min, max]) },
      y: { range: (_plot, _min, max) => [0, gridLines(max, drawn.current.kind).at(-1) ?? 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        splits: (plot, _axis, min, max) => {
          const width = plot.bbox.width / devicePixelRatio;
          labels = timeLabels({
            ...{ min, max, first: plot.data[0][0] ?? min, last: plot.data[0].at(-1) ?? max, width },
            textOf: drawn.current.formatTime,
            widthOf: (text) => widthOf(plot.ctx, text),
          });
          return labels.map(({ x }) => min + (x / width) * (max - min));
        },
        values: () => labels.map(({ text }) => text),
      },
      {
        ...axis,
        size: (_plot, labels) =>
          Math.max(MIN_LABELS, 12 + CHARACTER * Math.max(1, ...(labels ?? []).map((label) => label.length))),
        gap: 8,
        splits: (_plot, _axis, _min, max) => [...gridLines(max, drawn.current.kind)],
        values: (_plot, splits) => splits.map((split) => drawn.current.format(split)),
      },
    ],
    series: [
      {},
      ...drawn.current.series.map(({ name, colour: own, shape }, index): uPlot.Series => {
        const stroke = colour(`var(${own})`);
        const below = colour(`color-mix(in srgb, var(${own}) 12%, transparent)`);
        const bars = uPlot.paths.bars?.(
          isPair ? { size: [0.4, MAX_BAR, MIN_BAR], align: index === 0 ? -1 : 1 } : { size: [0.7, MAX_BAR, MIN_BAR] },
        );
        return {
          label: name,
          stroke,
          width: shape === 'bars' ? 0 : 1.75,
          points: { show: false },
          ...(shape === 'bars' && bars !== undefined ? { paths: bars, fill: stroke } : { fill: below }),
        };
      }),
    ],
  };
}

/** The width of a label in pixels. */
function widthOf(context: CanvasRenderingContext2D, text: string): number {
  context.save();
  context.font = FONT;
  const { width } = context.measureText(text);
  context.restore();
  return width;
}

/** Adds half a step at each side, so that the first and the last bar are complete. */
function withRoom(min: number, max: number, steps: number): [number, number] {
  const room = (max - min) * Math.max(0.5 / Math.max(1, steps), MIN_ROOM);
  return [min - room, max + room];
}

/** Returns a text that changes when the colours of the page change. */
function useTheme(): string {
  const [theme, setTheme] = useState('');
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const read = (): void => setTheme(`${document.documentElement.dataset['theme']} ${dark.matches}`);
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    dark.addEventListener('change', read);
    return () => {
      observer.disconnect();
      dark.removeEventListener('change', read);
    };
  }, []);
  return theme;
}
