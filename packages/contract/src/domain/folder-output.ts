import type { ConversionRequest } from './conversion.ts';
import { folderOf, isAudioExtension } from './media-path.ts';

/** Default names of the main file, for formats that write several files. */
const NAMES: Readonly<Record<string, string>> = {
  hls: 'index.m3u8',
  m3u8: 'index.m3u8',
  dash: 'index.mpd',
  mpd: 'index.mpd',
  segment: 'part_%03d.mp4',
  image2: 'frame_%04d.png',
};
/** The format that option names imply: `hls` for `hls_time`. undefined: they imply no format. */
export const formatOfOptions = (names: readonly string[]): string | undefined =>
  names.some((name) => name.startsWith('hls_')) ? 'hls' : undefined;

/** Usual extensions of formats whose name is not an extension. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  matroska: 'mkv',
  mpegts: 'ts',
  ipod: 'm4a',
  adts: 'aac',
  libmp3lame: 'mp3',
};

/** A file name for an output if the client sent only a folder. `input`: the path of the first input. */
export function nameInFolder(format: string | undefined, input: string | undefined): string {
  const name = format?.toLowerCase() ?? 'mp4';
  const stem = /([\w -]{1,60})(?:\.\w{1,5})?$/.exec(input ?? '')?.[1] ?? 'movie';
  const isExtension = /^[a-z\d]{2,5}$/.test(name);
  return NAMES[name] ?? `${stem}.${EXTENSIONS[name] ?? (isExtension ? name : 'mp4')}`;
}

/** An output in the folder of the input, for a request without an output. Default of `format`: the format of the input. */
function outputBeside(input: string, format: string | undefined): string {
  const folder = folderOf(input);
  const own = /\.(\w{1,5})$/.exec(input)?.[1];
  const name = nameInFolder(format?.replace(/^\./, '') ?? own, input);
  return `${folder}${name === input.slice(folder.length) ? name.replace(/(?=\.\w+$)/, '-new') : name}`;
}

/** An example of an output that suits the input and any format in the request. */
export function exampleOutput(body: object): string {
  const { input, inputs, parameters, ...fields } = body as Partial<ConversionRequest>;
  const [first]: readonly unknown[] = [input ?? inputs ?? []].flat();
  // The request may have failed validation, so its members can have any type.
  const options = Object.entries((typeof parameters === 'object' ? parameters : null) ?? {});
  const named = [...Object.entries(fields), ...options]
    .flatMap(([name, value]): readonly unknown[] => (FORMAT_WORD.test(name) ? [value] : []))
    .find((one) => typeof one === 'string' && /^\.?\w{2,5}$/.test(one));
  if (typeof first !== 'string' || !/^[\w ./-]{1,200}$/.test(first)) return 'movies/out.mp4';
  return outputBeside(first, typeof named === 'string' ? named : undefined);
}

/** The name of the outputs of a request with `each`, such as `{name}.mp4`. undefined: the request does not determine the extension. */
export function nameOfEach({ each = '', format, parameters = {} }: OutputOfFiles): string | undefined {
  const named = String(format ?? parameters['f'] ?? '')
    .toLowerCase()
    .replace(/^\./, '');
  const files = NAMES[named];
  if (files !== undefined) return `{name}/${files}`;
  if (/^[a-z\d]{2,5}$/.test(named) || EXTENSIONS[named] !== undefined) return `{name}.${EXTENSIONS[named] ?? named}`;
  const own = /\.([a-z\d]{2,4})$/i.exec(each)?.[1];
  const isAudio = parameters['vn'] !== undefined || (own !== undefined && isAudioExtension(own));
  const encoder = (isAudio ? AUDIO_OPTIONS : VIDEO_OPTIONS)
    .map((one) => parameters[one])
    .find((one) => one !== undefined && one !== 'copy');
  const suiting = CONTAINERS.find(([encoders]) => encoders.test(String(encoder)))?.[1] ?? [];
  const keepsOwn = own !== undefined && (encoder === undefined || suiting.includes(own.toLowerCase()));
  const extension = keepsOwn ? own : suiting[0];
  return extension === undefined ? undefined : `{name}.${extension}`;
}

interface OutputOfFiles extends Pick<ConversionRequest, 'format' | 'parameters'> {
  readonly each?: string;
}

const VIDEO_OPTIONS = ['c:v', 'codec:v', 'vcodec'];
const AUDIO_OPTIONS = ['c:a', 'codec:a', 'acodec'];

/** The usual file extensions for the streams of an encoder, most usual first. */
const CONTAINERS: readonly (readonly [encoders: RegExp, extensions: readonly string[]])[] = [
  [/^(?:libx26[45]|h264|hevc|(?:h264|hevc)_\w+|mpeg4)$/, ['mp4', 'mov', 'mkv', 'm4v']],
  [/^libvpx(?:-vp9)?$/, ['webm', 'mkv']],
  [/^(?:libsvtav1|libaom-av1|librav1e)$/, ['mp4', 'webm', 'mkv']],
  [/^(?:prores\w*|dnxhd)$/, ['mov', 'mkv', 'mxf']],
  [/^(?:aac|alac)$/, ['m4a', 'mp4']],
  [/^libmp3lame$/, ['mp3']],
  [/^libopus$/, ['opus', 'ogg', 'webm']],
  [/^libvorbis$/, ['ogg', 'oga']],
  [/^flac$/, ['flac']],
  [/^pcm_\w+$/, ['wav', 'mov']],
];

/** Options of other tools that name the format of the output. */
const FORMAT_WORD = /^(?:(?:audio|video|output|target)?[-_]?format|container|ext|fm)$/i;
