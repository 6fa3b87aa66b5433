import type { FailureRule } from '../failure-rule.ts';

/** Lines about a failed device or driver (ffmpeg 5.1 without a device, nvenc.c, vaapi_encode.c, and the texts of vaStatus). */
const SHAPES: readonly RegExp[] = [
  /^Device creation failed: -\d+\.$/,
  /^Cannot load lib(?:cuda|nvcuvid|nvidia-encode)\.so\.1$/,
  /^OpenEncodeSessionEx failed: /,
  /^No capable devices found$/,
  /^Driver does not support the required nvenc API version\./,
  /^No usable encoding (?:profile|entrypoint) found/,
  /^Failed to [\w '/-]{1,80}: \d{1,3} \([\w ,'-]{1,80}\)\.?$/,
];

export const DEVICE_CAUSES: readonly FailureRule[] = SHAPES.map((shape) => ({
  shape,
  code: 'DEVICE_FAILED',
  message:
    'The hardware device failed: it could not be opened, has no free session, or does not support this encoding.',
  fix: 'Send a software encoder as "fallback", or use other options of the encoder. The log of the job has what ffmpeg said.',
}));
