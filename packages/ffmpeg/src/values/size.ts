import { wordPairs } from '../allowlist/words.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

const NAMED = wordPairs(
  'ntsc 720x480 pal 720x576 qntsc 352x240 qpal 352x288 sntsc 640x480 spal 768x576 film 352x240 ntsc-film 352x240 ' +
    'sqcif 128x96 qcif 176x144 cif 352x288 4cif 704x576 16cif 1408x1152 qqvga 160x120 qvga 320x240 vga 640x480 ' +
    'svga 800x600 xga 1024x768 uxga 1600x1200 qxga 2048x1536 sxga 1280x1024 qsxga 2560x2048 hsxga 5120x4096 ' +
    'wvga 852x480 wxga 1366x768 wsxga 1600x1024 wuxga 1920x1200 woxga 2560x1600 wqsxga 3200x2048 wquxga 3840x2400 ' +
    'whsxga 6400x4096 whuxga 7680x4800 cga 320x200 ega 640x350 hd480 852x480 hd720 1280x720 hd1080 1920x1080 ' +
    'quadhd 2560x1440 2k 2048x1080 2kdci 2048x1080 2kflat 1998x1080 2kscope 2048x858 4k 4096x2160 4kdci 4096x2160 ' +
    '4kflat 3996x2160 4kscope 4096x1716 nhd 640x360 hqvga 240x160 wqvga 400x240 fwqvga 432x240 hvga 480x320 ' +
    'qhd 960x540 uhd2160 3840x2160 uhd4320 7680x4320',
);

export const SIZE_NAMES: readonly string[] = [...NAMED.keys()];

/** ffmpeg accepts any character between the two numbers. This matches the characters that clients send. */
const SIZE = /^(\d{1,5})[xX*:,/](\d{1,5})$/;

/** Reads width and height in pixels from `1280x720` or `hd720`. undefined: not a size. */
export function parseSize(value: string): { readonly width: number; readonly height: number } | undefined {
  const match = SIZE.exec(NAMED.get(value) ?? value);
  if (match === null) return undefined;
  const [width, height] = [Number(match[1]), Number(match[2])];
  return width > 0 && height > 0 ? { width, height } : undefined;
}

export function checkSize(key: string, value: string): ValueError | undefined {
  if (parseSize(value) !== undefined) return undefined;
  if (key.endsWith('tile=layout'))
    return badValue(`"${key}" must be columns and rows, not ${quoted(value)}.`, value, { shapes: ['3x2'] });
  return badValue(`"${key}" must be a size in pixels, width first, not ${quoted(value)}.`, value, {
    shapes: ['1280x720'],
    names: NAMED.keys(),
  });
}
