import { type FrameRate, joinPictures, rateText, totalFrames } from '../../filtergraph/crossfades.ts';
import { BT709, hasColours, scaledTo, taggedAs } from '../../filtergraph/picture-colours.ts';

/** A picture of a slideshow. Its times are numbers of frames. */
export interface Slide {
  /** The index of the picture among ffmpeg's inputs. */
  readonly input: number;
  readonly frames: number;
  /** The number of frames in which the picture fades in over the previous one. 0 means no fade. */
  readonly crossfade: number;
}

export interface SlideshowSpec {
  readonly slides: readonly Slide[];
  readonly rate: FrameRate;
  /** The size of the video. Default: the size of the first picture, rounded down to even numbers. */
  readonly size?: { readonly width: number; readonly height: number };
  /** The pixel format of the video. Default: the choice of the encoder. */
  readonly pixelFormat?: string;
  /**
   * Whether the filter `scale` takes a second input as its reference, as since ffmpeg 7.1. Older releases have
   * `scale2ref`.
   */
  readonly scaleTakesReference: boolean;
}

const FIT_INTO = (width: string, height: string, aspect: string): string =>
  `w=max(2\\,2*trunc(min(${width}\\,${height}*${aspect})/2)):h=max(2\\,2*trunc(min(${height}\\,${width}/${aspect})/2))`;

/**
 * Returns the filtergraph of a slideshow. The label of its output is `[v]`. The size of the first picture is unknown
 * when the graph is written. So the graph turns that picture into a black canvas, scales every picture to fit the
 * canvas, and overlays it there. Transparent parts become black. Each picture is read, scaled and overlaid once, and
 * then repeated.
 */
export function printSlideshowGraph(spec: SlideshowSpec): string {
  const { slides, scaleTakesReference, pixelFormat } = spec;
  const rate = rateText(spec.rate);
  const conversion = toPixelFormat(spec);
  const chains = [canvasChain(spec)];
  for (const [i, { input, frames }] of slides.entries())
    chains.push(
      scaleTakesReference
        ? `[${input}:v:0][r${i}]scale=${FIT_INTO('rw', 'rh', 'dar')},setsar=1,format=rgba[s${i}]`
        : `[${input}:v:0][r${i}]scale2ref=${FIT_INTO('iw', 'ih', 'main_dar')}[u${i}][c${i}];[u${i}]setsar=1,format=rgba[s${i}]`,
      `[c${i}][s${i}]overlay=x=(W-w)/2:y=(H-h)/2:format=rgb,setsar=1,${conversion},settb=1/(${rate}),` +
        `loop=loop=-1:size=1,setpts=N,fps=${rate},trim=end_frame=${frames}[p${i}]`,
    );
  const parts = slides.map(({ frames, crossfade }, i) => ({ label: `p${i}`, frames, crossfade }));
  const joined = joinPictures(parts, spec.rate, chains);
  // xfade takes 4:4:4 and RGB only, and encoders would keep that.
  const hasCrossfade = slides.some(({ crossfade }) => crossfade > 0);
  const restored = hasCrossfade && pixelFormat !== undefined ? `,format=${pixelFormat}` : '';
  // xfade of ffmpeg 5.1 may end one frame late.
  chains.push(`[${joined}]trim=end_frame=${totalFrames(slides)}${restored}[v]`);
  return chains.join(';');
}

/** Makes a canvas `c` for each picture and, if `scale` takes a reference, also that reference, `r`. */
function canvasChain({ slides, size, scaleTakesReference }: SlideshowSpec): string {
  const [first] = slides;
  const source =
    size === undefined
      ? `[${first?.input ?? 0}:v:0]scale=w=max(2\\,2*trunc(iw*sar/2)):h=max(2\\,2*trunc(ih/2)),setsar=1,format=rgb24,lutrgb=r=0:g=0:b=0`
      : `color=c=black:s=${size.width}x${size.height},trim=end_frame=1,format=rgb24`;
  const labels = slides.map((_slide, i) => (scaleTakesReference ? `[r${i}][c${i}]` : `[r${i}]`));
  return `${source},split=${slides.length * (scaleTakesReference ? 2 : 1)}${labels.join('')}`;
}

/**
 * Returns the filters that convert a picture. They run once, before the picture is repeated, because the conversion is
 * most of the work, and because 4:2:0 needs half the memory of RGB.
 */
function toPixelFormat({ pixelFormat }: SlideshowSpec): string {
  if (pixelFormat === undefined) return 'format=rgb24';
  if (!hasColours(pixelFormat)) return `format=${pixelFormat}`;
  return `scale=${scaledTo(BT709)},format=${pixelFormat},${taggedAs(BT709)}`;
}
