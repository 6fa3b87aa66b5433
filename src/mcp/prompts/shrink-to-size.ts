import { meantNumber } from '../../wire/explain-scalars.ts';
import { completeFile } from './complete-file.ts';
import { completeChoice, convertBy, numbered, type Prompt, pathEnding, tellResult } from './prompt.ts';

/** `10`, `10 MB` and `0.5 GB` in megabytes. */
function megabytesIn(text: string): number | undefined {
  const bytes = meantNumber('bytes', /^[\d.]+$/.test(text) ? `${text} MB` : text);
  return bytes === undefined || bytes <= 0 ? undefined : bytes / 1e6;
}

export const shrinkToSize: Prompt = {
  name: 'shrink_to_size',
  title: 'Shrink a video to a size',
  description: 'Creates a video of at most the given size, in the best quality that fits.',
  arguments: [
    { name: 'input', description: 'Path of the video.', required: true, complete: completeFile },
    {
      name: 'megabytes',
      description: 'Maximum size of the new video in megabytes.',
      required: true,
      complete: completeChoice('8', '10', '16', '25', '50', '100'),
      read: megabytesIn,
    },
    {
      name: 'output',
      description: 'Path of the new MP4.',
      required: false,
      complete: completeFile,
      read: pathEnding('mp4', 'm4v', 'mov'),
      wanted: 'a path that ends with .mp4',
    },
  ],
  text: (
    { input, megabytes = '', output },
    has,
  ) => `Convert the file ${JSON.stringify(input)} to a video of at most ${megabytes} megabytes${
    output === '' ? ', next to it, with a matching name' : `, as ${JSON.stringify(output)}`
  }.
${numbered(convertBy('target-size', { size: Number(megabytes) }), tellResult('the size', has))}`,
};
