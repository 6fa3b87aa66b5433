const SIZES = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a number of bytes: `512 MiB`, `1.5 GiB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), SIZES.length - 1);
  return `${rounded(bytes / 1024 ** power)} ${bytes === 1 ? 'byte' : SIZES[power]}`;
}

/** Formats a duration: `1 second`, `90 seconds`, `2 hours`. */
export function durationText(seconds: number): string {
  const whole = (unit: number): boolean => seconds >= 2 * unit && seconds % unit === 0;
  const [count, unit] = whole(3600)
    ? [seconds / 3600, 'hour']
    : whole(60)
      ? [seconds / 60, 'minute']
      : [seconds, 'second'];
  return `${rounded(count)} ${unit}${count === 1 ? '' : 's'}`;
}

const rounded = (count: number): number => Math.round(count * 10) / 10;
