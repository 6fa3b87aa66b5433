import { completeFile } from './complete-file.ts';
import { completeChoice, numbered, type Prompt, TELL_ID } from './prompt.ts';

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
    },
    { name: 'output', description: 'Path of the new MP4.', required: false, complete: completeFile },
  ],
  text: (
    { input, megabytes, output },
    has,
  ) => `Convert the file ${JSON.stringify(input)} to a video of at most ${JSON.stringify(megabytes)} megabytes${
    output === '' ? ', next to it, with a matching name' : `, as ${JSON.stringify(output)}`
  }.
${numbered(
  has('probe_media') ? 'Call probe_media for its duration in seconds.' : 'Ask me for its duration in seconds.',
  'Compute the bits per second: megabytes × 8,000,000 × 0.95 ÷ seconds. Use 96,000 for audio (less, or none, if there are few) and the rest for video. If the video gets less than 500,000, scale it down ("vf": "scale=-2:480" or less).',
  'Call convert_media with "parameters": {"c:v": "libx264", "b:v": VIDEO_BITS, "pass": "2", "c:a": "aac", "b:a": "96k", "ac": "2", "movflags": "+faststart"}; the service runs both passes.',
  has('wait_for_job')
    ? 'Call wait_for_job until it is COMPLETED, and check "sizeBytes". If it is too large, use a tenth less and convert to another name. Tell me the size and the link.'
    : TELL_ID,
)}`,
};
