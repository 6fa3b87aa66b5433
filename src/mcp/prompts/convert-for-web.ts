import { completeFile } from './complete-file.ts';
import { completeChoice, convertBy, numbered, type Prompt, pathEnding, tellResult } from './prompt.ts';

export const convertForWeb: Prompt = {
  name: 'convert_for_web',
  title: 'Convert a video for the web',
  description: 'Creates an MP4 that plays in every browser, and starts before it is fully loaded.',
  arguments: [
    { name: 'input', description: 'Path of the video.', required: true, complete: completeFile },
    {
      name: 'output',
      description: 'Path of the new MP4.',
      required: false,
      complete: completeFile,
      read: pathEnding('mp4', 'm4v', 'mov'),
      wanted: 'a path that ends with .mp4 (for WebM, ask for the recipe "web-vp9")',
    },
    {
      name: 'height',
      description: 'Maximum height in pixels. Default: 1080.',
      required: false,
      complete: completeChoice('360', '480', '720', '1080', '1440', '2160'),
      read: (text) => Number(/^(?:\d{2,5}\s*[x×]\s*)?(\d{2,4})\s*(?:p|px|pixels)?$/i.exec(text)?.[1]) || undefined,
    },
  ],
  text: ({ input, output, height }, has) => `Convert the file ${JSON.stringify(input)} into an MP4 for the web${
    output === '' ? ', next to it, with a matching name' : `, as ${JSON.stringify(output)}`
  }.
${numbered(convertBy('web-h264', { height: Number(height || 1080) }), tellResult('the size, the duration', has))}`,
};
