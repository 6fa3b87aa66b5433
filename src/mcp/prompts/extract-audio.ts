import { completeFile } from './complete-file.ts';
import { completeChoice, convertBy, numbered, type Prompt, tellResult } from './prompt.ts';

/** Formats that have a recipe of their name. */
const RECIPES: readonly string[] = ['mp3', 'm4a', 'flac', 'wav'];

/** The options of formats that no recipe writes. */
const OPTIONS: Readonly<Record<string, string>> = {
  ogg: '"c:a": "libvorbis", "q:a": "5"',
  opus: '"c:a": "libopus", "b:a": "128k"',
};

/** Other formats of sound, whose encoder the extension of the output sets. */
const OTHERS: readonly string[] = ['aac', 'm4b', 'mka', 'ac3', 'aiff'];

/** The one format that a text such as ".mp3" or "m4b audio book" has. */
function formatIn(text: string): string | undefined {
  const known = new Set([...RECIPES, ...Object.keys(OPTIONS), ...OTHERS]);
  const [format, ...others] = text
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => known.has(word));
  return others.length === 0 ? format : undefined;
}

/** The step that converts to a format. For one that is not known, the extension of the output sets the codec. */
function conversionTo(format: string): string {
  if (RECIPES.includes(format)) return convertBy(format);
  const codec = Object.hasOwn(OPTIONS, format) ? `, ${OPTIONS[format]}` : '';
  return `Call convert_media with "parameters": {"vn": "", "map": "0:a:0"${codec}}, and a file name that ends in .${format}.`;
}

export const extractAudio: Prompt = {
  name: 'extract_audio',
  title: 'Extract the audio of a video',
  description: 'Creates an audio file from a video, in the format of your choice.',
  arguments: [
    { name: 'input', description: 'Path of the file.', required: true, complete: completeFile },
    {
      name: 'format',
      description: 'Audio format. Default: mp3.',
      required: false,
      complete: completeChoice(...RECIPES, ...Object.keys(OPTIONS)),
      read: formatIn,
      wanted: `one of ${[...RECIPES, ...Object.keys(OPTIONS), ...OTHERS].join(', ')}`,
    },
    { name: 'output', description: 'Path of the new file.', required: false, complete: completeFile },
    {
      name: 'language',
      description: 'Language of the audio, such as "deu". Default: you are asked if there are several.',
      required: false,
      complete: completeChoice('deu', 'eng', 'fra', 'ita', 'jpn', 'spa'),
    },
  ],
  text: (
    { input, format, output, language },
    has,
  ) => `Extract the audio${language && ` in the language ${JSON.stringify(language)}`} of the file ${JSON.stringify(input)}, as ${format || 'mp3'}${
    output === '' ? ', next to it' : `, into ${JSON.stringify(output)}`
  }.
${numbered(
  has('probe_media')
    ? `Call probe_media to see its audio streams. If there are several, ${
        language === '' ? 'ask me which one' : 'take the one in that language'
      }, and add "map": "0:a:1" to "parameters" for the second.`
    : '',
  conversionTo(format || 'mp3'),
  tellResult('the duration', has),
)}`,
};
