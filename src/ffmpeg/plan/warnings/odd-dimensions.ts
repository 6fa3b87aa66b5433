import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** Encoders that reject an odd width or height if the chroma planes have half the size of the picture. */
const EVEN_SIZE_ENCODERS: ReadonlySet<string> = new Set(['libx264', 'libx265']);

/** Pixel formats whose chroma planes have the full size. */
const FULL_CHROMA = /^\+?(?:yuv[aj]?444|gbr|rgb|bgr|gray)/;

const SIZE = /^(\d{1,5})x(\d{1,5})$/;
/** The last scale filter of a chain, with plain numbers. A later crop or pad may correct the size. */
const SCALE = /(?:^|,)scale=(?:w=)?(-?\d{1,5}):(?:h=)?(-?\d{1,5})(?=[:,]|$)(?!.*(?:scale|crop|pad))/;

/** Warns about sizes with which the encoder fails, unless the pixel format of the input has full chroma. */
export function oddDimensions(options: readonly ArgvOption[], encoders: StreamEncoders): readonly Warning[] {
  const names = encoders.of('v').flatMap(({ encoder }) => encoder ?? []);
  const affected = names.find((name) => EVEN_SIZE_ENCODERS.has(name));
  const hasFullChroma = options.some(
    ({ name, values }) => name.name === 'pix_fmt' && FULL_CHROMA.test(values[0] ?? ''),
  );
  if (affected === undefined || hasFullChroma) return [];
  return options.flatMap(({ key, name, field, values }) => {
    const pattern =
      name.name === 's' ? SIZE : name.name === 'filter' && !/^a/.test(name.specifier ?? '') ? SCALE : undefined;
    const [, width = '', height = ''] = pattern?.exec(values[0] ?? '') ?? [];
    // -1 keeps the aspect ratio, and the result can be odd.
    const isOdd = [width, height].some((side) => Number(side) % 2 !== 0);
    if (!isOdd) return [];
    const even = [width, height].map((side) =>
      side === '-1' ? '-2' : `${Number(side) - (Math.abs(Number(side)) % 2)}`,
    );
    const verb = width === '-1' || height === '-1' ? 'can result in' : 'results in';
    return [
      {
        field,
        code: 'ODD_SIZE',
        message: `"${key}" ${verb} an odd width or height, which ${affected} rejects with yuv420p.`,
        fix: name.name === 's' ? `Send "${even.join('x')}".` : `Send "scale=${even.join(':')}".`,
      },
    ];
  });
}
