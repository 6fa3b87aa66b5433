import { completeFile } from './complete-file.ts';
import { completeChoice, type Prompt } from './prompt.ts';

export const shrinkToSize: Prompt = {
  name: 'shrink_to_size',
  title: 'Shrink a video to a size',
  description: 'A video that is no larger than so many megabytes, as good as that allows.',
  arguments: [
    { name: 'input', description: 'Path of the video.', required: true, complete: completeFile },
    {
      name: 'megabytes',
      description: 'What the result may take.',
      required: true,
      complete: completeChoice('8', '10', '16', '25', '50', '100'),
    },
    { name: 'output', description: 'Path of the MP4 to make.', required: false, complete: completeFile },
  ],
  text: ({
    input,
    megabytes,
    output,
  }) => `Make of the file ${JSON.stringify(input)} a video of at most ${JSON.stringify(megabytes)} megabytes${
    output === '' ? ', beside it, with a name that says so' : `, as ${JSON.stringify(output)}`
  }.
1. Call probe_media for its length in seconds.
2. Reckon the bits a second: megabytes × 8,000,000 × 0.95 ÷ seconds. Give 96,000 of them to the sound (less, or none, where it is short), the rest to the video. Below 500,000 for the video, scale it down ("vf": "scale=-2:480" or less).
3. Call convert_media with "parameters": {"c:v": "libx264", "b:v": VIDEO_BITS, "pass": "2", "c:a": "aac", "b:a": "96k", "ac": "2", "movflags": "+faststart"}; the service runs both passes by itself.
4. Call wait_for_job until it is COMPLETED, and look at "sizeBytes". Where it is too large, take a tenth less and convert to another name.
Tell me the size and the link.`,
};
