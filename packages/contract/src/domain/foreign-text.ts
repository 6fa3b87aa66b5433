import { fieldsAsParameters, type MeantRequest } from './command-line.ts';

/* Reads commands and code for GStreamer, MoviePy, ffmpeg-python, sox and HandBrakeCLI: their file names, `name=value`, `name(value)`,
   `name 1`. */

type Parameters = NonNullable<MeantRequest['parameters']>;

/** The maximum length of a text that is read, in characters. Nobody writes longer ones by hand. */
const MAX_LENGTH = 2000;

const PROGRAM = /^(?:gst-launch|filesrc |sox |HandBrakeCLI )|\b(?:ffmpeg\.input|VideoFileClip|AudioFileClip)\(/;

const FILE =
  /["']?([\w./-]{1,200}\.(?:mp4|mov|mkv|webm|avi|m4[av]|mp3|wav|flac|ogg|opus|aac|gif|ts|mpg|wmv|flv))\b["']?/g;

/** Words that need no option: `filesrc` and `queue` in a GStreamer pipeline, or `import` and `VideoFileClip` in code for MoviePy. */
const STRUCTURE =
  /^(?:gst-launch(?:-1\.0)?|v|e|m|sox|handbrakecli|ffmpeg|import|from|moviepy|editor|run|input|output|filter|filter_|overwrite_output|overwriteoutput|close|audio|video|i|o|filesrc|filesink|location|name|sink|src|clip|videofileclip|audiofileclip|write_videofile|write_audiofile|write_gif|queue|uridecodebin|decodebin\d?|videoconvert|videoscale|videorate|audioconvert|audioresample|audiorate|audio|raw|x-raw|x-h26[45]|\w*mux|\w*demux(?:er)?|\w*parse|\w*(?:aac|mp3|opus|vorbis|flac|wav|lame)enc)$/;

/** One-letter options of HandBrakeCLI, and a word with their meaning: `q` is the quality. */
const WORDS: Readonly<Record<string, string>> = {
  e: 'video_codec',
  q: 'rf',
  E: 'audio_codec',
  B: 'audio_bitrate',
  b: 'video_bitrate',
  l: 'height',
};

/** The request that a text for another program means, such as `sox in.wav out.mp3 rate 16k`. */
interface ForeignText {
  readonly input?: string;
  readonly output?: string;
  readonly parameters: Parameters;
  /** Words of the text that have no option in the result. */
  readonly unread: readonly string[];
}

/** Reads a request that is written for another program. undefined: its form is unknown, or it names several inputs. */
export function readForeignText(text: string): ForeignText | undefined {
  if (text.length > MAX_LENGTH || !PROGRAM.test(text.trim())) return undefined;
  const files = [...new Set([...text.matchAll(FILE)].map(([, one]) => one ?? ''))];
  const [input, output, ...others] = files;
  if (input === undefined || others.length > 0) return undefined;
  const read = readSteps(text.replaceAll(FILE, ' ').replaceAll(/\b(?:location|uri) ?= /g, ' '));
  return { input, ...(output !== undefined && { output }), ...read };
}

/** Reads steps without files: `trim 1 3 rate 16k`, `.subclip(2, 5).resize(width=320)`. */
export function readSteps(text: string): Pick<ForeignText, 'parameters' | 'unread'> {
  const options: Record<string, string> = {};
  const unread = new Set<string>();
  const add = (name: string, args: readonly string[]): void => {
    const found = optionsOf(name, args);
    if (found === undefined || Object.keys(found).some((key) => Object.hasOwn(options, key) && !/^[va]f$/.test(key))) {
      unread.add(name);
      return;
    }
    for (const [key, value] of Object.entries(found))
      options[key] = options[key] === undefined ? value : `${options[key]},${value}`;
  };
  const sides: Record<string, string> = {};
  const bare = text
    // `.filter("scale", 640, -2)` of ffmpeg-python names an ffmpeg filter.
    .replaceAll(/\.filter_?\(\s?["'](\w{1,40})["']\s?,?([^()]{0,200})\)/g, (_, name: string, args: string) => {
      add('filters', [`${name}${args.trim() === '' ? '' : `=${args.replaceAll(/[\s"']/g, '').replaceAll(',', ':')}`}`]);
      return ' ';
    })
    .replaceAll(
      /([A-Za-z_][\w-]{0,40})\s?=\s?(?:\(\w{1,10}\))?["']?([\w.:%+-]{1,60}(?:\/\d{1,5})?)["']?/g,
      (_, name: string, value: string) => {
        if (/^(?:width|height)$/.test(name)) sides[name] = value;
        else if (!STRUCTURE.test(name.toLowerCase())) add(name, [value]);
        return ' ';
      },
    );
  const both = fieldsAsParameters(sides, Object.keys(sides));
  for (const [key, value] of Object.entries(both ?? {})) options[key] = String(value);
  const words = bare
    .split(/[\s!(),;"'/]+/)
    .flatMap((one) => (/[A-Za-z]/.test(one) && !one.startsWith('-') ? one.split('.') : [one]))
    .filter((one) => one !== '');
  for (let at = 0; at < words.length; at += 1) {
    const word = (words[at] ?? '').replace(/^-{1,2}(?=[A-Za-z])/, '').replace(/\.$/, '');
    const args: string[] = [];
    const isValue = (one = ''): boolean =>
      /^-?[\d.][\w.:%]*$/.test(one) || (Object.hasOwn(WORDS, word) && args.length === 0 && /^[a-z]\w+$/i.test(one));
    while (isValue(words[at + 1])) {
      at += 1;
      args.push(words[at] ?? '');
    }
    const encoder = /^(x26[45]|vp[89]|av1|svtav1)enc$/.exec(word)?.[1];
    if (encoder !== undefined) add('video_codec', [encoder]);
    else if (/^resized?$/.test(word) && args.length === 0 && Object.keys(sides).length > 0) continue;
    else if (
      Object.hasOwn(WORDS, word) ? args.length > 0 : /[A-Za-z]/.test(word) && !STRUCTURE.test(word.toLowerCase())
    )
      add(word, args);
  }
  return { parameters: options, unread: [...unread] };
}

/** The ffmpeg options for one word and its values. undefined: the word is unknown. */
function optionsOf(word: string, args: readonly string[]): Readonly<Record<string, string>> | undefined {
  const [first, second, ...others] = args;
  if (others.length > 0) return undefined;
  if (/^(?:trim|subclip|subclipped|with_subclip)$/.test(word) && first !== undefined)
    // The second value is a length in `trim 1 3` of sox, and an end time in `subclip(1, 3)` of MoviePy.
    return { ss: first, ...(second !== undefined && { [word === 'trim' ? 't' : 'to']: second }) };
  if (second !== undefined) return undefined;
  const name = WORDS[word] ?? word;
  const found = fieldsAsParameters({ [name]: first ?? true }, [name]);
  const isText = Object.values(found ?? {}).every((one) => typeof one === 'string');
  return found !== undefined && isText && Object.keys(found).length > 0
    ? (found as Readonly<Record<string, string>>)
    : undefined;
}
