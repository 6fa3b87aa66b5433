import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/resolve-options.ts';

/** Encoders that refuse an odd width or height where the colour has half the size of the picture. */
const WANT_EVEN: ReadonlySet<string> = new Set(['libx264', 'libx265']);

/** Formats whose colour has the full size. */
const FULL_COLOUR = /^\+?(?:yuv[aj]?444|gbr|rgb|bgr|gray)/;

const SIZE = /^(\d{1,5})x(\d{1,5})$/;
/** The last scale of a chain, by plain numbers: what comes after it may mend the size again. */
const SCALE = /(?:^|,)scale=(?:w=)?(-?\d{1,5}):(?:h=)?(-?\d{1,5})(?=[:,]|$)(?!.*(?:scale|crop|pad))/;

/** Sizes with which the encoder will fail, unless the input's pixel format has full colour. */
export function oddDimensions(options: readonly ArgvOption[], makers: StreamEncoders): readonly Warning[] {
  const takers = makers.of('v').flatMap(({ encoder }) => encoder ?? []);
  const wantsEven = takers.find((encoder) => WANT_EVEN.has(encoder));
  const full = options.some(({ name, values }) => name.name === 'pix_fmt' && FULL_COLOUR.test(values[0] ?? ''));
  if (wantsEven === undefined || full) return [];
  return options.flatMap(({ key, name, field, values }) => {
    const shape =
      name.name === 's' ? SIZE : name.name === 'filter' && !/^a/.test(name.specifier ?? '') ? SCALE : undefined;
    const [, width = '', height = ''] = shape?.exec(values[0] ?? '') ?? [];
    // -1 keeps the shape, and comes out odd as often as not.
    const odd = [width, height].some((side) => Number(side) % 2 !== 0);
    if (!odd) return [];
    const even = [width, height].map((side) =>
      side === '-1' ? '-2' : `${Number(side) - (Math.abs(Number(side)) % 2)}`,
    );
    return [
      {
        field,
        code: 'ODD_SIZE',
        message: `"${key}" makes an odd width or height${width === '-1' || height === '-1' ? ' possible' : ''}, which ${wantsEven} refuses with yuv420p.`,
        fix: name.name === 's' ? `Send "${even.join('x')}".` : `Send "scale=${even.join(':')}".`,
      },
    ];
  });
}
