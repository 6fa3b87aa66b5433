import { expect, test } from 'vitest';
import { numberedConflict, profileConflict } from '../../packages/ffmpeg/src/allowlist/profile-formats.ts';

const FORMATS =
  'yuv420p nv12 yuv422p yuv444p gray gbrp yuv420p10le yuv422p10le yuv444p10le gray10le gbrp10le yuv420p12le yuv422p12le yuv444p12le gray12le gbrp12le'.split(
    ' ',
  );

/** What the encoders of Debian 12 (ffmpeg 5.1) and 13 (ffmpeg 7.1) accepted of the formats above. x264 has no 12 bits. */
const ACCEPTED: readonly (readonly [encoder: string, profiles: string, formats: string])[] = [
  ['libx264', 'baseline main', 'yuv420p nv12'],
  ['libx264', 'high', 'yuv420p nv12 gray'],
  ['libx264', 'high10', 'yuv420p nv12 gray yuv420p10le gray10le'],
  ['libx264', 'high422', 'yuv420p nv12 yuv422p gray yuv420p10le yuv422p10le gray10le'],
  [
    'libx264',
    'high444',
    'yuv420p nv12 yuv422p yuv444p gray gbrp yuv420p10le yuv422p10le yuv444p10le gray10le gbrp10le',
  ],
  ['libx265', 'main mainstillpicture msp main-intra', 'yuv420p nv12'],
  ['libx265', 'main10 main10-intra', 'yuv420p nv12 yuv420p10le'],
  ['libx265', 'main12 main12-intra', 'yuv420p nv12 yuv420p10le yuv420p12le'],
  ['libx265', 'main422-10 main422-10-intra', 'yuv420p nv12 yuv422p yuv420p10le yuv422p10le'],
  ['libx265', 'main422-12 main422-12-intra', 'yuv420p nv12 yuv422p yuv420p10le yuv422p10le yuv420p12le yuv422p12le'],
  ['libx265', 'main444-8 main444-intra main444-stillpicture', 'yuv420p nv12 yuv422p yuv444p gray gbrp'],
  [
    'libx265',
    'main444-10 main444-10-intra',
    'yuv420p nv12 yuv422p yuv444p gray gbrp yuv420p10le yuv422p10le yuv444p10le gray10le gbrp10le',
  ],
  [
    'libx265',
    'main444-12 main444-12-intra main444-16-intra main444-16-stillpicture',
    'yuv420p nv12 yuv422p yuv444p gray gbrp yuv420p10le yuv422p10le yuv444p10le gray10le gbrp10le yuv420p12le yuv422p12le yuv444p12le gray12le gbrp12le',
  ],
];

const rows = ACCEPTED.flatMap(([encoder, profiles, formats]) =>
  profiles.split(' ').map((profile) => ({ encoder, profile, accepted: new Set(formats.split(' ')) })),
);

test.each(rows)(
  '$encoder $profile conflicts with exactly what the encoder rejects',
  ({ encoder, profile, accepted }) => {
    for (const format of FORMATS.filter((one) => encoder === 'libx265' || !/12/.test(one))) {
      const conflict = profileConflict(encoder, profile, format);
      expect({ format, isRejected: conflict !== undefined }).toEqual({ format, isRejected: !accepted.has(format) });
      if (conflict === undefined) continue;
      // Both ways out are accepted.
      const other = rows.find((row) => row.encoder === encoder && row.profile === conflict.profile);
      expect(other?.accepted).toContain(format);
      expect(accepted).toContain(conflict.pixelFormat);
    }
  },
);

test.each([
  ['libvpx-vp9', '1', 'yuv420p', { pixelFormat: 'yuv444p', profile: '0' }],
  ['libvpx-vp9', '2', 'yuv420p', { pixelFormat: 'yuv420p10le', profile: '0' }],
  ['libvpx-vp9', '0', 'yuv444p', { pixelFormat: 'yuv420p', profile: '1' }],
  ['libvpx-vp9', '1', 'yuv422p10le', { pixelFormat: 'yuv444p', profile: '3' }],
  ['libaom-av1', 'high', 'yuv420p', { pixelFormat: 'yuv444p', profile: '0' }],
  ['libaom-av1', '0', 'yuv422p', { pixelFormat: 'yuv420p', profile: '2' }],
  ['libvpx-vp9', '0', 'yuv420p', undefined],
  ['libvpx-vp9', '2', 'yuv420p10le', undefined],
  ['libaom-av1', '0', 'yuv420p10le', undefined],
  ['libaom-av1', '1', 'yuv444p', undefined],
  ['libvpx', '1', 'yuv420p', undefined],
])('profile %s %s and the pixel format %s', (encoder, profile, format, conflict) => {
  expect(numberedConflict(encoder, profile, format)).toEqual(conflict);
});
