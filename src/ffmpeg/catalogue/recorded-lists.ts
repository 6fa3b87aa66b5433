import type { Build } from './build.ts';
import type { Catalogue } from './catalogue.ts';

/** The lists of libavutil, which depend on the release and not on how it was built. */
export type RecordedLists = Pick<Catalogue['lists'], 'pixelFormats' | 'sampleFormats' | 'channelLayouts' | 'colors'>;

/** The recorded releases, oldest first. The recordings in test/fixtures/ffmpeg-help prove the lists. */
const RELEASES = ['5.1', '7.1', '9.0'];

/** The names of ffmpeg 9.0 in its order. `@RELEASE`: the first recorded release that has it, if 5.1 has not. */
const ROWS: Readonly<Record<keyof RecordedLists, string>> = {
  pixelFormats: `
yuv420p yuyv422 rgb24 bgr24 yuv422p yuv444p yuv410p yuv411p gray monow monob pal8 yuvj420p yuvj422p yuvj444p uyvy422
uyyvyy411 bgr8 bgr4 bgr4_byte rgb8 rgb4 rgb4_byte nv12 nv21 argb rgba abgr bgra gray16be gray16le yuv440p yuvj440p
yuva420p rgb48be rgb48le rgb565be rgb565le rgb555be rgb555le bgr565be bgr565le bgr555be bgr555le yuv420p16le yuv420p16be
yuv422p16le yuv422p16be yuv444p16le yuv444p16be rgb444le rgb444be bgr444le bgr444be ya8 bgr48be bgr48le yuv420p9be
yuv420p9le yuv420p10be yuv420p10le yuv422p10be yuv422p10le yuv444p9be yuv444p9le yuv444p10be yuv444p10le yuv422p9be
yuv422p9le gbrp gbrp9be gbrp9le gbrp10be gbrp10le gbrp16be gbrp16le yuva422p yuva444p yuva420p9be yuva420p9le
yuva422p9be yuva422p9le yuva444p9be yuva444p9le yuva420p10be yuva420p10le yuva422p10be yuva422p10le yuva444p10be
yuva444p10le yuva420p16be yuva420p16le yuva422p16be yuva422p16le yuva444p16be yuva444p16le xyz12le xyz12be nv16 nv20le
nv20be rgba64be rgba64le bgra64be bgra64le yvyu422 ya16be ya16le gbrap gbrap16be gbrap16le 0rgb rgb0 0bgr bgr0
yuv420p12be yuv420p12le yuv420p14be yuv420p14le yuv422p12be yuv422p12le yuv422p14be yuv422p14le yuv444p12be yuv444p12le
yuv444p14be yuv444p14le gbrp12be gbrp12le gbrp14be gbrp14le yuvj411p bayer_bggr8 bayer_rggb8 bayer_gbrg8 bayer_grbg8
bayer_bggr16le bayer_bggr16be bayer_rggb16le bayer_rggb16be bayer_gbrg16le bayer_gbrg16be bayer_grbg16le bayer_grbg16be
yuv440p10le yuv440p10be yuv440p12le yuv440p12be ayuv64le ayuv64be p010le p010be gbrap12be gbrap12le gbrap10be gbrap10le
gray12be gray12le gray10be gray10le p016le p016be gray9be gray9le gbrpf32be gbrpf32le gbrapf32be gbrapf32le gray14be
gray14le grayf32be grayf32le yuva422p12be yuva422p12le yuva444p12be yuva444p12le nv24 nv42 y210be y210le x2rgb10le
x2rgb10be x2bgr10le x2bgr10be p210be p210le p410be p410le p216be p216le p416be p416le vuya@7.1 rgbaf16be@7.1
rgbaf16le@7.1 vuyx@7.1 p012le@7.1 p012be@7.1 y212be@7.1 y212le@7.1 xv30be@7.1 xv30le@7.1 xv36be@7.1 xv36le@7.1
rgbf32be@7.1 rgbf32le@7.1 rgbaf32be@7.1 rgbaf32le@7.1 p212be@7.1 p212le@7.1 p412be@7.1 p412le@7.1 gbrap14be@7.1
gbrap14le@7.1 ayuv@9.0 uyva@9.0 vyu444@9.0 v30xbe@9.0 v30xle@9.0 rgbf16be@9.0 rgbf16le@9.0 rgba128be@9.0 rgba128le@9.0
rgb96be@9.0 rgb96le@9.0 y216be@9.0 y216le@9.0 xv48be@9.0 xv48le@9.0 gbrpf16be@9.0 gbrpf16le@9.0 gbrapf16be@9.0
gbrapf16le@9.0 grayf16be@9.0 grayf16le@9.0 gray32be@9.0 gray32le@9.0 yaf32be@9.0 yaf32le@9.0 yaf16be@9.0 yaf16le@9.0
gbrap32be@9.0 gbrap32le@9.0 yuv444p10msbbe@9.0 yuv444p10msble@9.0 yuv444p12msbbe@9.0 yuv444p12msble@9.0 gbrp10msbbe@9.0
gbrp10msble@9.0 gbrp12msbbe@9.0 gbrp12msble@9.0
`,
  sampleFormats: `
u8 s16 s32 flt dbl u8p s16p s32p fltp dblp s64 s64p
`,
  channelLayouts: `
FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR DL DR WL WR SDL SDR LFE2 TSL TSR BFC BFL BFR SSL@7.1
SSR@7.1 TTL@7.1 TTR@7.1 BIL@9.0 BIR@9.0 mono stereo 2.1 3.0 3.0(back) 4.0 quad quad(side) 3.1 5.0 5.0(side) 4.1 5.1
5.1(side) 6.0 6.0(front) 3.1.2@7.1 hexagonal 6.1 6.1(back) 6.1(front) 7.0 7.0(front) 7.1 7.1(wide) 7.1(wide-side)
5.1.2@7.1 5.1.2(back)@9.0 octagonal cube@7.1 5.1.4@7.1 7.1.2@7.1 7.1.4@7.1 7.2.3@7.1 9.1.4@7.1 9.1.6@9.0 hexadecagonal
binaural@9.0 downmix 22.2
`,
  colors: `
aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue
chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen
darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray
darkturquoise darkviolet deeppink deepskyblue dimgray dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro
ghostwhite gold goldenrod gray green greenyellow honeydew hotpink indianred indigo ivory khaki lavender lavenderblush
lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgreen lightgrey lightpink lightsalmon
lightseagreen lightskyblue lightslategray lightsteelblue lightyellow lime limegreen linen magenta maroon
mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise
mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered
orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple red
rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray snow
springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen
`,
};

/** Returns the lists of a recorded release, whose patches do not change them. Undefined for other releases, which are queried. */
export function recordedLists(release: Build['release']): RecordedLists | undefined {
  const index = RELEASES.indexOf(release?.join('.') ?? '');
  if (index < 0) return undefined;
  const namesOf = (row: keyof RecordedLists): ReadonlySet<string> =>
    new Set(
      ROWS[row]
        .trim()
        .split(/\s+/)
        .map((word) => word.split('@'))
        .filter(([, since = '5.1']) => RELEASES.indexOf(since) <= index)
        .map(([name = '']) => name),
    );
  return {
    pixelFormats: namesOf('pixelFormats'),
    sampleFormats: namesOf('sampleFormats'),
    channelLayouts: namesOf('channelLayouts'),
    colors: namesOf('colors'),
  };
}
