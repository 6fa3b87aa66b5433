import { bareWord } from './value-words.ts';

/** Each row has names for one option, best first, from filters of ffmpeg and from other tools. A filter knows only a few of them. */
const ROWS: readonly string[] = [
  'fontcolor fontcolour color colour c textcolor foreground foregroundcolor fg',
  'boxcolor backgroundcolor bgcolor background bg boxcolour bordercolor',
  'color colour c fillcolor background backgroundcolor bgcolor bg fill',
  'fontsize size textsize fs s',
  'font fontname fontfamily family typeface',
  'fontfile fontpath ttf font',
  'borderw border outline stroke outlinewidth borderwidth strokewidth',
  'bordercolor outlinecolor strokecolor outlinecolour',
  'shadowcolor shadow shadowcolour',
  'text string caption label content message',
  'alpha opacity transparency a aa',
  'width w outw ow',
  'height h outh oh',
  'x left posx xpos xoffset offsetx xposition',
  'y top posy ypos yoffset offsety yposition',
  'duration d length seconds dur len',
  'starttime st start ss begin from offset',
  'start ss st starttime begin from',
  'end to stop endtime until',
  'angle a degrees deg rotation',
  'sigma radius strength r lumaradius lr amount size',
  'lumaamount la amount strength',
  'volume gain g level vol amplitude',
  'gain g volume boost db',
  'frequency f freq cutoff hz cutofffrequency',
  'width w q bandwidth',
  'tempo speed rate factor',
  'fps rate r framerate frames',
  'dir direction rotation angle mode degrees rotate',
  'type t kind mode direction dir',
  'inputs nbinputs n count numinputs streams',
  'outputs n count nboutputs',
  'n segments inputs nbinputs parts files count',
  'filename f file path src source subtitles subtitle srt',
  'file filename f path lut cube',
  'forcestyle style fontstyle assstyle',
  'delays delay ms d time',
  'transition effect name type kind',
  'pixfmts pixfmt format pixelformat pixelformats formats',
  'samplerates samplerate rate ar sr',
  'channellayouts channellayout layout cl channels layouts',
  'samplefmts samplefmt format sampleformat',
  'i integrated target loudness lufs targetloudness',
  'tp truepeak peak maxtruepeak dbtp',
  'lra range loudnessrange',
  'similarity sim tolerance threshold',
  'blend softness smoothness feather',
  'expr e expression condition',
  'thickness t border linewidth stroke',
  'noise n noiselevel threshold',
  'threshold limit level',
  'ratio dar aspect r aspectratio',
  'sar ratio r aspect aspectratio',
  'saturation s sat',
  'brightness b br',
  'contrast c',
  'hue h',
  'flags scaler algorithm method',
  'forceoriginalaspectratio keepaspect keepaspectratio aspect preserveaspect preserveaspectratio',
  'evalmode eval',
  'interval period step',
  'loop loops count repeat',
  'size s resolution dimensions videosize',
  'maxcolors colors numcolors ncolors',
  'statsmode mode',
  'dither dithering',
  'curve curve1 shape',
  'weights weight w',
  'normalize normalise',
  'mode m type',
];

const WORDS = new Map<string, string[]>();
for (const row of ROWS) {
  const words = row.split(' ');
  for (const word of words) WORDS.set(word, [...(WORDS.get(word) ?? []), ...words]);
}

/** Names in ffmpeg's own spelling, by their spelling without underscores and in lower case. */
const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  (
    'force_style start_time pix_fmts sample_rates channel_layouts channel_layout sample_fmts sample_rate out_w out_h ' +
    'luma_radius luma_amount max_colors stats_mode force_original_aspect_ratio nb_inputs I TP LRA H'
  )
    .split(' ')
    .map((name) => [bareWord(name), [name]]),
);

/** The names that a filter can have for the option that a client calls `word`, likeliest first. */
export const meantFilterOptions = (word: string): readonly string[] =>
  (WORDS.get(bareWord(word)) ?? []).flatMap((name) => [name, ...(SPELLINGS.get(name) ?? [])]);

/**
 * The advice if a filter has no option for a word of a client. The keys are `FILTER=WORD`, with the word in lower case and without spaces,
 * dashes, underscores and dots.
 */
export const FILTER_OPTION_ADVICE: ReadonlyMap<string, string> = new Map([
  ...['fill', 'filled'].map((word): [string, string] => [
    `drawbox=${word}`,
    'Leave it out. A filled box has the thickness "fill": drawbox=x=10:y=10:w=100:h=50:t=fill.',
  ]),
  ...['opacity', 'alpha', 'transparency', 'aa'].map((word): [string, string] => [
    `overlay=${word}`,
    'Leave it out. Make the second input transparent before: "[1:v]format=rgba,colorchannelmixer=aa=0.5[top];[0:v][top]overlay".',
  ]),
  ...['w', 'width', 'h', 'height', 'size', 'scale'].map((word): [string, string] => [
    `overlay=${word}`,
    'Leave it out. Scale the second input before: "[1:v]scale=200:-2[top];[0:v][top]overlay".',
  ]),
  ...['duration', 'd', 'end', 'to', 't', 'start', 'st', 'starttime', 'from'].flatMap((word): [string, string][] =>
    ['overlay', 'drawtext', 'drawbox'].map((filter) => [
      `${filter}=${word}`,
      'Leave it out. Send the time in "enable": enable=\'between(t,2,5)\'.',
    ]),
  ),
]);
