/** The distances between round times or durations, in seconds: up to minutes, hours and days. */
export const DURATION_STEPS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200],
  ...[1, 2, 5, 10, 20, 50, 100].map((days) => days * 86_400),
];

/** In pixels. */
const GAP = 16;

export interface TimeLabel {
  readonly text: string;
  /** The middle of the text, in pixels from the left end of the axis. */
  readonly x: number;
}

interface Axis {
  /** The times at the ends of the axis, in seconds since 1970. */
  readonly min: number;
  readonly max: number;
  /** The times of the first and the last value. The axis has room for half a bar beyond them. */
  readonly first: number;
  readonly last: number;
  /** In pixels. */
  readonly width: number;
  readonly textOf: (seconds: number) => string;
  readonly widthOf: (text: string) => number;
}

/**
 * The labels of a time axis: the first and the last time at its ends, and round times between, where there is room. No text is there twice:
 * if both ends have the same text, such as the same second, only the first one has a label.
 */
export function timeLabels({ min, max, first, last, width, textOf, widthOf }: Axis): readonly TimeLabel[] {
  const perPixel = (max - min) / width;
  const labelAt = (seconds: number) => {
    const text = textOf(seconds);
    const half = widthOf(text) / 2;
    return { text, half, x: Math.min(Math.max((seconds - min) / perPixel, half), width - half) };
  };
  const labels = [labelAt(first)];
  const add = (label: (typeof labels)[number]): void => {
    const isFree = labels.every(
      ({ text, x, half }) => text !== label.text && Math.abs(x - label.x) >= half + label.half + GAP,
    );
    if (isFree) labels.push(label);
  };
  add(labelAt(last));
  const room = Math.max(...labels.map(({ half }) => 2 * half)) + GAP;
  const step = DURATION_STEPS.find((one) => one >= 1 && one >= room * perPixel);
  if (step !== undefined) for (const time of roundTimes(first, last, step)) add(labelAt(time));
  return labels.map(({ text, x }) => ({ text, x })).sort((one, other) => one.x - other.x);
}

/** In seconds, in the time zone of the browser. It changes with summer time. */
const zoneOffset = (seconds: number): number => new Date(seconds * 1000).getTimezoneOffset() * 60;

/** The multiples of a step between two times, counted from midnight in the time zone of the browser. */
function roundTimes(first: number, last: number, step: number): readonly number[] {
  const offset = zoneOffset(first);
  const from = Math.ceil((first - offset) / step);
  const count = Math.max(0, Math.floor((last - offset) / step) - from + 1);
  return Array.from({ length: count }, (_, index) => {
    const local = (from + index) * step;
    return local + zoneOffset(local + offset);
  });
}
