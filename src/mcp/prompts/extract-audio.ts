import { completeFile } from './complete-file.ts';
import { completeChoice, type Prompt } from './prompt.ts';

export const extractAudio: Prompt = {
  name: 'extract_audio',
  title: 'Take the sound out of a video',
  description: 'The sound of a file alone, in a format of your choice.',
  arguments: [
    { name: 'input', description: 'Path of the file.', required: true, complete: completeFile },
    {
      name: 'format',
      description: 'Left out: mp3.',
      required: false,
      complete: completeChoice('mp3', 'm4a', 'flac', 'ogg', 'opus', 'wav'),
    },
    { name: 'output', description: 'Path of the file to make.', required: false, complete: completeFile },
  ],
  text: ({ input, format, output }) => `Take the sound out of the file ${JSON.stringify(input)}, as ${format || 'mp3'}${
    output === '' ? ', beside it' : `, into ${JSON.stringify(output)}`
  }.
1. Call probe_media to see which sound it has; where there are several, ask me which.
2. Call convert_media with "parameters": {"vn": "", "map": "0:a:0"} and a codec that the format holds: libmp3lame with "q:a": "2" for mp3, aac with "b:a": "192k" for m4a, flac, libvorbis for ogg, libopus with "b:a": "128k" for opus, pcm_s16le for wav. Where the sound is of that codec already, "c:a": "copy" keeps it as it is.
3. Call wait_for_job until it is COMPLETED, and tell me the length and the link.`,
};
