import { completeFile } from './complete-file.ts';
import { completeChoice, numbered, type Prompt, TELL_ID } from './prompt.ts';

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
      complete: completeChoice('mp3', 'm4a', 'flac', 'ogg', 'opus', 'wav'),
    },
    { name: 'output', description: 'Path of the new file.', required: false, complete: completeFile },
  ],
  text: (
    { input, format, output },
    has,
  ) => `Extract the audio of the file ${JSON.stringify(input)}, as ${format || 'mp3'}${
    output === '' ? ', next to it' : `, into ${JSON.stringify(output)}`
  }.
${numbered(
  has('probe_media') ? 'Call probe_media to see its audio streams. If there are several, ask me which one.' : '',
  'Call convert_media with "parameters": {"vn": "", "map": "0:a:0"} and a codec for the format: libmp3lame with "q:a": "2" for mp3, aac with "b:a": "192k" for m4a, flac, libvorbis for ogg, libopus with "b:a": "128k" for opus, pcm_s16le for wav. If the audio has this codec already, use "c:a": "copy".',
  has('wait_for_job') ? 'Call wait_for_job until it is COMPLETED, and tell me the duration and the link.' : TELL_ID,
)}`,
};
