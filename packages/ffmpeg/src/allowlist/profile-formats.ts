/** The chroma subsampling. 420: chroma has half the resolution in both directions. 400: no chroma. */
type Chroma = 400 | 420 | 422 | 444;

interface Traits {
  readonly chroma: Chroma;
  /** Bits per sample. */
  readonly depth: number;
}

const SEMI_PLANAR: Readonly<Record<string, Traits>> = {
  nv12: { chroma: 420, depth: 8 },
  nv21: { chroma: 420, depth: 8 },
  p010le: { chroma: 420, depth: 10 },
  rgb24: { chroma: 444, depth: 8 },
  bgr24: { chroma: 444, depth: 8 },
  bgr0: { chroma: 444, depth: 8 },
};

/** The chroma and bit depth of a pixel format that x264 or x265 encodes without conversion. undefined: another format. */
function traitsOf(pixelFormat: string): Traits | undefined {
  const [, yuv, kind, depth = '8'] = /^(?:yuvj?(420|422|444)p|(gray|gbrp))(10|12)?(?:le)?$/.exec(pixelFormat) ?? [];
  if (yuv === undefined && kind === undefined) return SEMI_PLANAR[pixelFormat];
  const chroma = kind === 'gray' ? 400 : kind === 'gbrp' ? 444 : (Number(yuv) as Chroma);
  return { chroma, depth: Number(depth) };
}

/** The highest chroma and bit depth that each profile of x264 allows. Tried with the libraries of Debian 12 and 13. */
const X264: Readonly<Record<string, Traits>> = {
  baseline: { chroma: 420, depth: 8 },
  main: { chroma: 420, depth: 8 },
  high: { chroma: 420, depth: 8 },
  high10: { chroma: 420, depth: 10 },
  high422: { chroma: 422, depth: 10 },
  high444: { chroma: 444, depth: 10 },
};

/** The highest chroma and bit depth that a profile of x265 allows. undefined: the profile is unknown. */
function x265Profile(profile: string): Traits | undefined {
  if (/^(?:main|main-intra|mainstillpicture|msp)$/.test(profile)) return { chroma: 420, depth: 8 };
  const [, chroma = '420', depth] = /^main(422|444)?-?(8|10|12|16)?(?:-intra|-stillpicture)?$/.exec(profile) ?? [];
  if (depth === undefined) return /^main444-/.test(profile) ? { chroma: 444, depth: 8 } : undefined;
  return { chroma: Number(chroma) as Chroma, depth: Number(depth) };
}

const x264For = ({ chroma, depth }: Traits): string =>
  chroma === 444 ? 'high444' : chroma === 422 ? 'high422' : depth > 8 ? 'high10' : 'high';

/** The profile of x265 for a chroma and a bit depth. Gray is only possible in the 4:4:4 profiles. */
const x265For = ({ chroma, depth }: Traits): string =>
  chroma === 420
    ? depth > 8
      ? `main${depth}`
      : 'main'
    : chroma === 422
      ? `main422-${Math.max(10, depth)}`
      : `main444-${depth}`;

/** The pixel format with this chroma and bit depth that x264 and x265 encode without conversion. */
const planarFormat = ({ chroma, depth }: Traits): string => `yuv${chroma}p${depth > 8 ? `${depth}le` : ''}`;

/** A profile and a pixel format that are in conflict: the client can change either. */
interface ProfileConflict {
  /** A profile that allows the pixel format. */
  readonly profile: string;
  /** A pixel format that the sent profile allows. */
  readonly pixelFormat: string;
}

const isGrayAllowed = (encoder: string, profile: string, { chroma }: Traits): boolean =>
  encoder === 'libx265' ? chroma === 444 : !/^(?:baseline|main)$/.test(profile);

/**
 * The conflict between a profile of x264 or x265 and a pixel format. `most`: the most that the profile allows, such as `4:2:0 with 8 bits`.
 * undefined: no conflict is known.
 */
export function profileConflict(
  encoder: string,
  profile: string,
  pixelFormat: string,
): (ProfileConflict & { readonly most: string }) | undefined {
  const isX265 = encoder === 'libx265';
  if (!isX265 && encoder !== 'libx264' && encoder !== 'libx264rgb') return undefined;
  const name = profile.toLowerCase();
  const allowed = isX265 ? x265Profile(name) : X264[name];
  const traits = traitsOf(pixelFormat);
  // For x264, ffmpeg itself reduces 12 bits to 10, so that no profile is in conflict.
  if (allowed === undefined || traits === undefined || (!isX265 && traits.depth > 10)) return undefined;
  const isGray = traits.chroma === 400;
  const fits = isGray ? isGrayAllowed(encoder, name, allowed) : traits.chroma <= allowed.chroma;
  if (fits && traits.depth <= allowed.depth) return undefined;
  const depth = Math.min(traits.depth, allowed.depth);
  const chroma = isGray ? 420 : traits.chroma < allowed.chroma ? traits.chroma : allowed.chroma;
  return {
    most: `${String(allowed.chroma).split('').join(':')} with ${allowed.depth} bits`,
    profile: isX265 ? x265For(traits) : x264For(traits),
    pixelFormat: planarFormat({ chroma, depth }),
  };
}

/** The profiles of VP9 by number, each with the chroma and bit depths that it allows and its usual pixel format. */
const VP9_PROFILES: readonly NumberedProfile[] = [
  { holds: ({ chroma, depth }) => chroma === 420 && depth === 8, format: 'yuv420p' },
  { holds: ({ chroma, depth }) => chroma > 420 && depth === 8, format: 'yuv444p' },
  { holds: ({ chroma, depth }) => chroma === 420 && depth > 8, format: 'yuv420p10le' },
  { holds: ({ chroma, depth }) => chroma > 420 && depth > 8, format: 'yuv444p10le' },
];
/** The profiles of AV1 (main, high and professional), each with the chroma and bit depths that it allows and its usual pixel format. */
const AV1_PROFILES: readonly NumberedProfile[] = [
  { holds: ({ chroma, depth }) => chroma <= 420 && depth <= 10, format: 'yuv420p' },
  { holds: ({ chroma, depth }) => chroma === 444 && depth <= 10, format: 'yuv444p' },
  { holds: ({ chroma, depth }) => chroma === 422 || depth === 12, format: 'yuv422p10le' },
];
const AV1_NAMES: readonly string[] = ['main', 'high', 'professional'];

interface NumberedProfile {
  readonly holds: (traits: Traits) => boolean;
  readonly format: string;
}

const NUMBERED: Readonly<Record<string, readonly NumberedProfile[]>> = {
  'libvpx-vp9': VP9_PROFILES,
  'libaom-av1': AV1_PROFILES,
  libsvtav1: AV1_PROFILES,
};

/**
 * The conflict between a profile of VP9 or AV1 and a pixel format. With a conflict, the encoder fails. undefined: no conflict is known.
 */
export function numberedConflict(encoder: string, profile: string, pixelFormat: string): ProfileConflict | undefined {
  const all = NUMBERED[encoder];
  const traits = traitsOf(pixelFormat);
  const name = profile.toLowerCase();
  const sent = all?.[AV1_NAMES.includes(name) && all === AV1_PROFILES ? AV1_NAMES.indexOf(name) : Number(name)];
  if (all === undefined || traits === undefined || sent === undefined || sent.holds(traits)) return undefined;
  const fitting = all.findIndex(({ holds }) => holds(traits));
  return fitting < 0 ? undefined : { pixelFormat: sent.format, profile: String(fitting) };
}
