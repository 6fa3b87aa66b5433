import { numberedConflict, profileConflict } from '../../allowlist/profile-formats.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import type { OutputContext } from './option-targets.ts';

/** Profiles for old players, which play only the pixel format of the profile. */
const FOR_PLAYERS = /^(?:baseline|main)$/i;

/** Rejects a pixel format that the profile does not allow. x264 and x265 report this only when they start. */
export function checkProfileFormats({ options, encoders, errors }: OutputContext): void {
  const optionOf = (wanted: string): ArgvOption | undefined =>
    options.findLast(({ name }) => name.name === wanted && (name.specifier ?? 'v') === 'v');
  const [profile, format] = [optionOf('profile'), optionOf('pix_fmt')];
  if (profile === undefined || format === undefined) return;
  const [asked = '', pixels = ''] = [profile.values[0], format.values[0]];
  if (errors.some(({ field }) => field === profile.field || field === format.field)) return;
  const encoder = encoders.of('v').find(({ kind }) => kind === 'video')?.encoder;
  const numbered = encoder === undefined ? undefined : numberedConflict(encoder, asked, pixels.replace(/^\+/, ''));
  if (numbered !== undefined)
    errors.push({
      field: profile.field,
      code: 'BAD_VALUE',
      message: `"${sentName(profile)}" cannot be "${asked}" with "${sentName(format)}": "${pixels}": this profile is for pixel formats such as ${numbered.pixelFormat}.`,
      allowed: [numbered.profile],
    });
  const conflict = encoder === undefined ? undefined : profileConflict(encoder, asked, pixels.replace(/^\+/, ''));
  if (encoder === undefined || conflict === undefined) return;
  const [name, formatName] = [sentName(profile), sentName(format)];
  // The format is wrong for libx264 only: libx264rgb has only RGB formats, so its profile is wrong.
  const changesFormat = encoder === 'libx264' && FOR_PLAYERS.test(asked);
  errors.push({
    field: changesFormat ? format.field : profile.field,
    code: 'BAD_VALUE',
    message: changesFormat
      ? `"${formatName}" cannot be "${pixels}" with "${name}": "${asked}", which has at most ${conflict.most}: "${conflict.profile}" allows it, but few players show that.`
      : `"${name}" cannot be "${asked}" with "${formatName}": "${pixels}": it has at most ${conflict.most}, such as ${conflict.pixelFormat}.`,
    allowed: [changesFormat ? conflict.pixelFormat : conflict.profile],
  });
}
