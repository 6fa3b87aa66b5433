import { completeFile } from './complete-file.ts';
import { completeChoice, numbered, type Prompt, TELL_ID } from './prompt.ts';

export const convertForWeb: Prompt = {
  name: 'convert_for_web',
  title: 'Convert a video for the web',
  description: 'Creates an MP4 that plays in every browser, and starts before it is fully loaded.',
  arguments: [
    { name: 'input', description: 'Path of the video.', required: true, complete: completeFile },
    { name: 'output', description: 'Path of the new MP4.', required: false, complete: completeFile },
    {
      name: 'height',
      description: 'Maximum height in pixels. Default: 1080.',
      required: false,
      complete: completeChoice('360', '480', '720', '1080', '1440', '2160'),
    },
  ],
  text: ({ input, output, height }, has) => `Convert the file ${JSON.stringify(input)} into an MP4 for the web${
    output === '' ? ', next to it, with a matching name' : `, as ${JSON.stringify(output)}`
  }.
${numbered(
  has('probe_media') ? 'Call probe_media to see its streams.' : '',
  `Call convert_media with "parameters": {"c:v": "libx264", "preset": "medium", "crf": "23", "pix_fmt": "yuv420p", "vf": "scale=-2:'min(${height || '1080'},ih)'", "c:a": "aac", "b:a": "128k", "ac": "2", "movflags": "+faststart"}. Leave out the audio options if there is no audio.`,
  has('wait_for_job')
    ? 'Call wait_for_job until it is COMPLETED, and tell me the size, the duration and the link.'
    : TELL_ID,
)}`,
};
