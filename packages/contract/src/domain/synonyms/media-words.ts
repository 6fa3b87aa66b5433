import { bareWord, sameMeaning } from './value-words.ts';

/** Names of codecs, formats and encoders, each with the matching ffmpeg encoders, best first. */
const CODECS: ReadonlyMap<string, readonly string[]> = new Map([
  ...sameMeaning('h264 avc avc1 mpeg4avc mpeg4part10 itu264', ['h264', 'libx264']),
  ...sameMeaning('x264 libh264 h264x openh264 libopenh264', ['libx264']),
  ...sameMeaning('h265 hevc hvc1 hev1 mpegh itu265', ['libx265', 'hevc']),
  ...sameMeaning('x265 libh265 libhevc kvazaar', ['libx265']),
  ...sameMeaning('vp8 libvp8 vp08', ['libvpx']),
  ...sameMeaning('vp9 libvp9 vp90 vpx vpxvp9 googlevp9', ['libvpx-vp9']),
  ...sameMeaning('av1 av01 svtav1 libsvt svt libaom aomav1 libav1 rav1e', ['libsvtav1', 'libaom-av1', 'librav1e']),
  ...sameMeaning('mp4v mpeg4video xvid divx xvidmpeg4', ['mpeg4']),
  ...sameMeaning('prores prores422 proreshq appleprores', ['prores_ks', 'prores']),
  ...sameMeaning('dnxhr avid', ['dnxhd']),
  ...sameMeaning('jpeg jpg motionjpeg mjpg', ['mjpeg']),
  ...sameMeaning('theora', ['libtheora']),
  ...sameMeaning('webp', ['libwebp']),
  ...sameMeaning('aac libfdkaac fdkaac fdk libfaac faac aaclc mp4a m4a heaac', ['aac']),
  ...sameMeaning('mp3 lame mp3lame lamemp3 libmp3 mpeg3 mpegaudio mpga', ['libmp3lame']),
  ...sameMeaning('opus libopusenc opusenc', ['libopus', 'opus']),
  ...sameMeaning('vorbis oggvorbis ogg oga', ['libvorbis', 'vorbis']),
  ...sameMeaning('wav pcm lpcm wave pcm16 pcms16 s16le linear16', ['pcm_s16le']),
  ...sameMeaning('pcm24 pcms24 s24le', ['pcm_s24le']),
  ...sameMeaning('flacaudio', ['flac']),
  ...sameMeaning('wma windowsmediaaudio', ['wmav2']),
  ...sameMeaning('wmv wmv3 wmv9 vc1 windowsmediavideo', ['wmv2']),
  ...sameMeaning('applelossless', ['alac']),
  ...sameMeaning('dolby dolbydigital ac3dolby', ['ac3']),
  ...sameMeaning('eac3dolby dolbydigitalplus ddplus ec3', ['eac3']),
  ...sameMeaning('srt subripsrt', ['srt', 'subrip']),
  ...sameMeaning('vtt', ['webvtt']),
  ...sameMeaning('movtext tx3g timedtext mp4subtitles', ['mov_text']),
  ...sameMeaning('passthrough passthru streamcopy same source original remux keep', ['copy']),
]);

/** The encoders that a client means by a codec name that ffmpeg does not have, best first. */
export function meantEncoders(name: string): readonly string[] {
  const plain = name.replace(/^(?:\/codecs\/|codecs?\/|video\/|audio\/)/i, '');
  // GStreamer and HandBrake add a prefix or a suffix to encoders: `avenc_aac`, `x264enc`, `av_aac`.
  const element = plain.replace(/^(?:avenc|av|ca)_/, '').replace(/enc$/, '');
  const known = CODECS.get(bareWord(plain)) ?? CODECS.get(bareWord(element));
  return known ?? CODEC_TEXTS.find(([words]) => words.test(name.replaceAll('_', ' ')))?.[1] ?? [];
}

/** Codecs in texts with additional words: `Apple ProRes 422 HQ`, `H.264 (NVENC)`, `x265 10-bit`. */
const CODEC_TEXTS: readonly (readonly [words: RegExp, encoders: readonly string[]])[] = [
  [/\bpro ?res\b/i, ['prores_ks', 'prores']],
  [/\bdnx(?:hr|hd)\b/i, ['dnxhd']],
  [/\b(?:h\.? ?265|x265|hevc)\b/i, ['libx265']],
  [/\b(?:h\.? ?264|x264|avc)\b/i, ['libx264']],
  [/\bvp9\b/i, ['libvpx-vp9']],
  [/\bav1\b/i, ['libsvtav1', 'libaom-av1']],
  [/\b(?:he[ -]?)?aac\b/i, ['aac']],
  [/\bmp3\b/i, ['libmp3lame']],
  [/\bopus\b/i, ['libopus']],
  [/\bdolby digital plus\b/i, ['eac3']],
  [/\bdolby\b/i, ['ac3']],
  [/\b(?:pcm|linear|uncompressed audio)\b/i, ['pcm_s16le']],
];

/** Containers by MIME types and other names. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ...sameMeaning('mpeg4 mpeg4container isommp4', 'mp4'),
  ...sameMeaning('quicktime quicktimemovie xquicktime', 'mov'),
  ...sameMeaning('xmatroska matroskavideo', 'matroska'),
  ...sameMeaning('transportstream mpeg2ts mp2t tsstream', 'mpegts'),
  ...sameMeaning('xflv flash flashvideo', 'flv'),
  ...sameMeaning('xmsvideo msvideo', 'avi'),
  ...sameMeaning('wave xwav', 'wav'),
  ...sameMeaning('xflac', 'flac'),
  ...sameMeaning('lame mpegaudio mpeg3 audio/mpeg audio/mpeg3', 'mp3'),
  ...sameMeaning('audio/mp4 audio/xm4a', 'm4a'),
  ...sameMeaning('subrip xsubrip', 'srt'),
  ...sameMeaning('vtt', 'webvtt'),
  ...sameMeaning('applehttplivestreaming m3u xmpegurl vndapplempegurl', 'hls'),
  ...sameMeaning('mpegdash', 'dash'),
  ...sameMeaning('animatedgif', 'gif'),
  ...sameMeaning('svgxml', 'png'),
]);

/** The container that a client means by a name that is neither a muxer nor a usual extension. */
export function meantFormat(name: string): string | undefined {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^(?:video|audio|image|application|text)\/(?:x-)?/, '')
    .replace(/^\*?\./, '')
    // HandBrake adds a prefix to formats: `av_mkv`.
    .replace(/^av_/, '');
  return (
    FORMATS.get(bareWord(name)) ?? FORMATS.get(bareWord(plain)) ?? (plain === name.toLowerCase() ? undefined : plain)
  );
}

/** Filters by their names in other tools, and by words for their effect. */
const FILTERS: ReadonlyMap<string, string> = new Map([
  ...sameMeaning('resize rescale size', 'scale'),
  ...sameMeaning('rotation turn', 'rotate'),
  ...sameMeaning('mirror horizontalflip fliph', 'hflip'),
  ...sameMeaning('verticalflip flipv', 'vflip'),
  ...sameMeaning('text caption title drawntext', 'drawtext'),
  ...sameMeaning('watermark logo composite', 'overlay'),
  ...sameMeaning('framerate2 rate', 'fps'),
  ...sameMeaning('blur gaussianblur', 'gblur'),
  ...sameMeaning('sharpen sharpness', 'unsharp'),
  ...sameMeaning('stabilize stabilise vidstab vidstabdetect vidstabtransform', 'deshake'),
  ...sameMeaning('deinterlace', 'yadif'),
  ...sameMeaning('denoise', 'hqdn3d'),
  ...sameMeaning('speed tempo', 'atempo'),
  ...sameMeaning('gain loudness vol', 'volume'),
  ...sameMeaning('fadein fadeout', 'fade'),
  ...sameMeaning('afadein afadeout', 'afade'),
  ...sameMeaning('letterbox border', 'pad'),
  ...sameMeaning('subs subtitle srt', 'subtitles'),
  ...sameMeaning('brightness contrast saturation gamma', 'eq'),
  ...sameMeaning('normalize normalise loudnessnormalization', 'loudnorm'),
  ...sameMeaning('grayscale greyscale', 'hue'),
  ...sameMeaning('join merge append', 'concat'),
  ...sameMeaning('mixaudio', 'amix'),
  ...sameMeaning('rectangle box', 'drawbox'),
  ...sameMeaning('chroma greenscreen', 'chromakey'),
]);

/** Audio filters by words that mean another filter for video, and by effects of sox. */
const AUDIO_FILTERS: ReadonlyMap<string, string> = new Map([
  ...sameMeaning('rate resample samplerate', 'aresample'),
  ...sameMeaning('norm', 'loudnorm'),
  ...sameMeaning('silence', 'silenceremove'),
  ...sameMeaning('fade fadein fadeout', 'afade'),
  ...sameMeaning('denoise', 'afftdn'),
  ...sameMeaning('reverb echo', 'aecho'),
  ...sameMeaning('reverse', 'areverse'),
]);

/** How sox normalizes: `gain -n`, `gain -n -3`, `norm -1`. */
const NORMALIZING = /^(?:gain\s+-n(?:\s+-?\d+(?:\.\d+)?)?|norm\s+-?\d+(?:\.\d+)?)$/;

/** Whether a text is a sox effect that sets the loudness of the whole file. */
export const isNormalizing = (text: string): boolean => NORMALIZING.test(text);

/** The filter that a client means by a name that ffmpeg does not have. `ofAudio`: whether the filtergraph is only for audio. */
export function meantFilter(name: string, ofAudio = false): string | undefined {
  if (isNormalizing(name)) return 'loudnorm';
  return (ofAudio ? AUDIO_FILTERS.get(bareWord(name)) : undefined) ?? FILTERS.get(bareWord(name));
}

/** The graph that plays seconds 8 to 10 of a video at half speed and the rest at normal speed. */
const SLOW_PART = [
  '[0:v]trim=0:8[v0];[0:v]trim=8:10,setpts=(PTS-STARTPTS)/0.5[v1];[0:v]trim=10,setpts=PTS-STARTPTS[v2]',
  '[0:a]atrim=0:8[a0];[0:a]atrim=8:10,asetpts=PTS-STARTPTS,atempo=0.5[a1];[0:a]atrim=10,asetpts=PTS-STARTPTS[a2]',
  '[v0][a0][v1][a1][v2][a2]concat=n=3:v=1:a=1[v][a]',
].join(';');

/** Answers to searches for tasks that no recipe does. The first matching row counts. */
const ROWS: readonly (readonly [words: RegExp, answer: string])[] = [
  [/\btranslat(?:e|ing)\b|\btranslation (?:in)?to\b/i, 'Telecine does not translate.'],
  [/\b(?:text to speech|tts|voice ?clon\w*)\b/i, 'Telecine does not make speech from text.'],
  [
    /\b(?:separat\w*|isolat\w*|split|extract|remove) (?:the )?(?:vocals?|stems?|voices? from (?:the )?music|music from (?:the )?(?:voices?|vocals?|speech)|singing)\b/i,
    'Telecine does not separate voices from music.',
  ],
  [
    /\b(?:green|blue) ?screen\b|\bchroma ?key\w*/i,
    'No recipe replaces a green screen. A conversion of two inputs, the picture behind first, does: "filter_complex": "[1:v]chromakey=0x00ff00:0.2:0.1[k];[0:v][k]overlay=shortest=1[v]", "map": ["[v]", "1:a?"].',
  ],
  [
    /\b(?:[57][ .]1|surround) (?:audio |sound )?(?:in)?to stereo\b|\bstereo (?:from|of|out of) (?:an? )?(?:[57][ .]1|surround)\b|\bdown-?mix\w*/i,
    'No recipe only changes channels: a conversion with "ac": "2" in "parameters" does.',
  ],
  [
    /\b(?:remov\w*|delet\w*|drop|strip|without) (?:the |all )?(?:subtitles?|captions?) (?:from|of|in|out of)\b|\b(?:remov\w*|delet\w*|drop|strip) (?:the |all )?(?:subtitles?|captions?|subtitle tracks?)$/i,
    'No recipe removes subtitles: a conversion with "c": "copy", "map": "0" and "sn": "" in "parameters" does.',
  ],
  [
    /\b(?:keep|only)(?: only)?(?: the)? (?:english|german|french|spanish|italian|original) (?:audio|sound|language)(?: track)?s?$/i,
    'No recipe keeps one language: a conversion with "c": "copy" and "map": ["0:v", "0:a:m:language:eng"] in "parameters" does.',
  ],
  [
    /\b(?:upscal\w*|super ?resolution|enhanc\w*)\b.*\bai\b|\bai (?:upscal\w*|enhanc\w*)/i,
    'Telecine enlarges video by the filters of ffmpeg, without AI: the recipe "resize".',
  ],
  [
    /\bdownload\w*\b.*\b(?:from|off) (?:youtube|tiktok|instagram|vimeo|twitch)\b|\bdownload\w* (?:(?:an?|the|this|my) )?(?:youtube|tiktok|instagram|vimeo|twitch)\b|^(?:youtube|tiktok|instagram|vimeo|twitch) (?:videos? )?download\w*\b/i,
    'Telecine does not download from video sites: the user has to upload the file.',
  ],
  [
    /\b(?:recogni[sz]e|detect|track|find) (?:the )?(?:faces?|people|objects?)\b|\b(?:face|object) (?:detection|recognition|tracking)\b/i,
    'Telecine does not recognise what a video or an image shows.',
  ],
  [
    /\b(?:remov\w*|cut\w*|trim\w*|delet\w*|drop|strip|skip|get(?:ting)? rid of)\b(?:\W+(?!to\b|from\b|fade)\w+){0,4}?\W+(?:(?:black|frozen|blank)\W+(?:frames?|pictures?|parts?|screens?|scenes?|seconds?|leader|tail|(?:at|from|in|before|after)\b(?!.*\b(?:top|bottom|sides?|edges?|borders?|left|right|corners?)\b))|still\W+(?:frames|pictures|parts|scenes)\b)/i,
    'No recipe removes black or still parts: "cut" of a conversion does, {"remove": {"black": {"minSeconds": 0.5}}}. For parts at the ends alone, measure "black" first, and send the part between them as "keep".',
  ],
  [
    /\b(?:slow|speed|fast)\w*\b.*\b(?:(?:(?:a|one|some) )?(?:part|section|piece|bit|portion|passage)\b|(?:the )?rest\b|only (?:a|the|seconds?)\b|(?:seconds?|minutes?) \d+ (?:to|until|through|and)\b)/i,
    `No recipe changes the speed of a part. A conversion does, here of seconds 8 to 10 to half: "parameters": {"filter_complex": "${SLOW_PART}", "map": ["[v]", "[a]"]}. The filter atempo takes 0.5 to 100: twice 0.5 is a quarter.`,
  ],
  [
    /\bmpeg-?2\b|\b(?:burn|make|create|author|for|to|onto|on|as)\s+(?:(?:an?|the|my|our|old)\s+)*(?:video\s+)?(?:s?vcd|dvd)s?\b(?!\W+(?:rip|chapters?))/i,
    'No recipe writes MPEG-2 or DVD video: a conversion with "format": "dvd", "parameters": {"target": "pal-dvd"} (or "ntsc-dvd") does. For its shape, add "vf": "scale=720:432,pad=720:576:0:72,setsar=16/15" (16:9 with bars in 4:3 PAL).',
  ],
  [
    /\b(?:delete|erase|remove|rm|unlink)\s+(?:(?:the|an?|my|all|this|these|old|original|source|input|output|media)\s+)*(?:files?|jobs?|folders?|originals?|sources?)(?:\s+(?:after(?:wards)?|when|once|from)\b.*)?[.!]?$|^(?:delete|rm|unlink)$/i,
    'No tool deletes files or jobs: the user can. "expiresAfterSeconds" of a conversion removes its outputs later.',
  ],
];

/** The sentence that says which task no recipe does. undefined: the query asks for no such task. */
export const notOffered = (query: string): string | undefined => ROWS.find(([words]) => words.test(query))?.[1];
