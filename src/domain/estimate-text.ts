import type { EstimatedRange } from './estimate.ts';

/** An estimate as the domain and as replies have it. */
interface ShownEstimate {
  readonly outputs: readonly {
    readonly durationSeconds?: number | undefined;
    readonly sizeBytes?: EstimatedRange | undefined;
    readonly unknown?: string | undefined;
  }[];
  readonly time: { readonly seconds?: EstimatedRange | undefined; readonly unknown?: string | undefined };
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size in decimal units with two digits: `1.3 MB`. */
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${Number((bytes / 1000 ** power).toPrecision(2))} ${UNITS[power]}`;
}

const secondsText = (seconds: number): string =>
  seconds < 90 ? `${Number(seconds.toPrecision(2))} s` : `${Math.round(seconds / 60)} min`;

const between = ({ low, likely, high }: EstimatedRange, text: (value: number) => string): string => {
  const [least, most] = [text(low), text(high)];
  return least === most ? text(likely) : `${text(likely)} (${least} to ${most})`;
};

/** An estimate as short lines: one for each output, then the time. */
export function estimateLines({ outputs, time }: ShownEstimate): readonly string[] {
  const named = outputs.map(({ durationSeconds, sizeBytes, unknown }, index) => {
    const length = durationSeconds === undefined ? [] : [`${Number(durationSeconds.toFixed(2))} s long`];
    const size = sizeBytes === undefined ? `size unknown: ${unknown ?? ''}` : between(sizeBytes, sizeText);
    return `${outputs.length > 1 ? `output ${index + 1}: ` : ''}${[size, ...length].join(', ')}`;
  });
  const takes =
    time.seconds === undefined ? `time unknown: ${time.unknown ?? ''}` : `takes ${between(time.seconds, secondsText)}`;
  // Usually one reason explains both.
  return outputs.some(({ unknown }) => unknown !== undefined && unknown === time.unknown) ? named : [...named, takes];
}
