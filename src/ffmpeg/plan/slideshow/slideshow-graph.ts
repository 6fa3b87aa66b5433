/** A picture of a slideshow, in frames. */
export interface Slide {
  /** Of ffmpeg's inputs. */
  readonly input: number;
  readonly frames: number;
  /** Over which it comes in across the one before it; 0: at once. */
  readonly crossfade: number;
}

/** Frames a second, as a ratio of whole numbers. */
export interface FrameRate {
  readonly frames: number;
  readonly per: number;
}

export interface SlideshowSpec {
  readonly slides: readonly Slide[];
  readonly rate: FrameRate;
  /** Absent: that of the first picture, made even. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Absent: the encoder takes what suits it. */
  readonly pixelFormat?: string;
  /** `scale` takes a second input as its reference (since ffmpeg 7.1); before, that was the filter `scale2ref`. */
  readonly scaleTakesReference: boolean;
}

/** Frames that the show is long: two pictures share those of a crossfade. */
export const totalFrames = (slides: readonly Slide[]): number =>
  slides.reduce((sum, { frames, crossfade }) => sum + frames - crossfade, 0);

const FIT_INTO = (width: string, height: string, aspect: string): string =>
  `w=max(2\\,2*trunc(min(${width}\\,${height}*${aspect})/2)):h=max(2\\,2*trunc(min(${height}\\,${width}/${aspect})/2))`;

/**
 * The filtergraph of a slideshow; its output is `[v]`. The first picture's size is not known when this is written, so
 * a black canvas is made of that picture, and each is scaled to fit its canvas and laid on it, which also shows what is
 * transparent on black. A picture is read, scaled and laid once, and then held.
 */
export function printSlideshowGraph(show: SlideshowSpec): string {
  const { slides, scaleTakesReference } = show;
  const rate = rateText(show.rate);
  const encoded = asEncoded(show);
  const chains = [canvases(show)];
  for (const [i, { input, frames }] of slides.entries())
    chains.push(
      scaleTakesReference
        ? `[${input}:v:0][r${i}]scale=${FIT_INTO('rw', 'rh', 'dar')},setsar=1,format=rgba[s${i}]`
        : `[${input}:v:0][r${i}]scale2ref=${FIT_INTO('iw', 'ih', 'main_dar')}[u${i}][c${i}];[u${i}]setsar=1,format=rgba[s${i}]`,
      `[c${i}][s${i}]overlay=x=(W-w)/2:y=(H-h)/2:format=rgb,setsar=1,${encoded},settb=1/(${rate}),` +
        `loop=loop=-1:size=1,setpts=N,fps=${rate},trim=end_frame=${frames}[p${i}]`,
    );
  const shown = joined(show, chains);
  // ffmpeg 5.1's xfade may end a frame late.
  chains.push(`[${shown}]trim=end_frame=${totalFrames(slides)}[v]`);
  return chains.join(';');
}

/** For each picture a canvas `c`; where `scale` takes a reference and keeps it, also that, `r`. */
function canvases({ slides, size, scaleTakesReference }: SlideshowSpec): string {
  const [first] = slides;
  const source =
    size === undefined
      ? `[${first?.input ?? 0}:v:0]scale=w=max(2\\,2*trunc(iw*sar/2)):h=max(2\\,2*trunc(ih/2)),setsar=1,format=rgb24,lutrgb=r=0:g=0:b=0`
      : `color=c=black:s=${size.width}x${size.height},trim=end_frame=1,format=rgb24`;
  const labels = slides.map((_slide, i) => (scaleTakesReference ? `[r${i}][c${i}]` : `[r${i}]`));
  return `${source},split=${slides.length * (scaleTakesReference ? 2 : 1)}${labels.join('')}`;
}

/** Adds to `chains` what shows one picture after the other; returns the label. */
function joined({ slides, rate }: SlideshowSpec, chains: string[]): string {
  const runs: { first: number; count: number; frames: number; crossfade: number }[] = [];
  for (const [i, { frames, crossfade }] of slides.entries()) {
    const run = runs.at(-1);
    if (run === undefined || crossfade > 0) runs.push({ first: i, count: 1, frames, crossfade });
    else {
      run.count++;
      run.frames += frames;
    }
  }
  const labels = runs.map(({ first, count }, n) => {
    const members = Array.from({ length: count }, (_, i) => `[p${first + i}]`).join('');
    const run = count === 1 ? `p${first}` : `q${n}`;
    if (count > 1) chains.push(`${members}concat=n=${count}[${run}]`);
    if (runs.length === 1) return run;
    // concat counts in microseconds, and xfade takes only what counts alike.
    chains.push(`[${run}]settb=AVTB,fps=${rateText(rate)}[g${n}]`);
    return `g${n}`;
  });
  let [shown = ''] = labels;
  let total = runs[0]?.frames ?? 0;
  for (const [n, { frames, crossfade }] of runs.entries()) {
    if (n === 0) continue;
    const times = `duration=${seconds(crossfade, rate)}:offset=${seconds(total - crossfade, rate)}`;
    chains.push(`[${shown}][${labels[n]}]xfade=${times}[x${n}]`);
    shown = `x${n}`;
    total += frames - crossfade;
  }
  return shown;
}

/** Once a picture, and before it is held: this is the larger part of the work, and 4:2:0 takes half the room of RGB. */
function asEncoded({ pixelFormat }: SlideshowSpec): string {
  if (pixelFormat === undefined) return 'format=rgb24';
  if (!/^yuva?4|^nv|^p\d/.test(pixelFormat)) return `format=${pixelFormat}`;
  // What is not told of a video, players guess by its size.
  const bt709 = 'range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709';
  return `scale=out_color_matrix=bt709:out_range=tv,format=${pixelFormat},setparams=${bt709}`;
}

/** `25`, `30000/1001` */
const rateText = ({ frames, per }: FrameRate): string => (per === 1 ? `${frames}` : `${frames}/${per}`);

const seconds = (count: number, { frames, per }: FrameRate): string =>
  `${Math.round((count * per * 1e6) / frames) / 1e6}`;
