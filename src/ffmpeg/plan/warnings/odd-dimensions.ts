import { sendOption, sendValue } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { evenWidth } from '../../values/number.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Encoders that reject an odd width or height if the chroma planes have half the size of the picture. */
const EVEN_SIZE_ENCODERS: ReadonlySet<string> = new Set(['libx264', 'libx265']);

/** Pixel formats whose chroma planes have the full size. */
const FULL_CHROMA = /^\+?(?:yuv[aj]?444|gbr|rgb|bgr|gray)/;

const SIZE = /^(\d{1,5})x(\d{1,5})$/;
/** The last scale filter of a chain, with plain numbers. A later crop or pad may correct the size. */
const SCALE = /(?:^|,)scale=(?:w=)?(-?\d{1,5}):(?:h=)?(-?\d{1,5})(?=[:,]|$)(?!.*(?:scale|crop|pad))/;

/** The graph with another size in its last scale filter. */
function withSize(graph: string, [width = '', height = '']: readonly string[]): string | undefined {
  const found = SCALE.exec(graph);
  if (found === null) return undefined;
  const scale = found[0].replace(/(-?\d{1,5}):(h=)?-?\d{1,5}$/, (_all, _width, key = '') => `${width}:${key}${height}`);
  return graph.slice(0, found.index) + scale + graph.slice(found.index + found[0].length);
}

/** Warns about sizes with which the encoder fails, unless the pixel format of the input has full chroma. */
export function oddDimensions(options: readonly ArgvOption[], encoders: StreamEncoders): readonly Warning[] {
  const names = encoders.of('v').flatMap(({ encoder }) => encoder ?? []);
  const affected = names.find((name) => EVEN_SIZE_ENCODERS.has(name));
  const hasFullChroma = options.some(
    ({ name, values }) => name.name === 'pix_fmt' && FULL_CHROMA.test(values[0] ?? ''),
  );
  if (affected === undefined || hasFullChroma) return [];
  return options.flatMap((option) => {
    const { key, name, field, values, texts = values } = option;
    const pattern =
      name.name === 's' ? SIZE : name.name === 'filter' && !/^a/.test(name.specifier ?? '') ? SCALE : undefined;
    const [, width = '', height = ''] = pattern?.exec(values[0] ?? '') ?? [];
    // -1 keeps the aspect ratio, and the result can be odd.
    const isOdd = [width, height].some((side) => Number(side) % 2 !== 0);
    if (!isOdd) return [];
    const evenOf = (side: string): string => (side === '-1' ? '-2' : `${Number(side) - (Math.abs(Number(side)) % 2)}`);
    const isWhole = [width, height].every((side) => Number(side) > 1);
    const even = [isWhole ? String(evenWidth(Number(width), Number(height))) : evenOf(width), evenOf(height)];
    const verb = width === '-1' || height === '-1' ? 'can result in' : 'results in';
    return [
      {
        field,
        code: 'ODD_SIZE',
        message: `"${key}" ${verb} an odd width or height, which ${affected} rejects with yuv420p.`,
        fix:
          name.name === 's'
            ? sendValue(even.join('x'))
            : sendOption(sentName(option), withSize(texts[0] ?? '', even) ?? withSize(values[0] ?? '', even) ?? ''),
      },
    ];
  });
}
