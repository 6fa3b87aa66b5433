/**
 * The pixel formats that the profiles of x264 and x265 allow. Each pair of a profile and a pixel format was tried with the
 * libraries of Debian 12 and 13.
 */

/** The chroma of a picture: 420 means half the resolution in both directions, 400 means none. */
type Chroma = 400 | 420 | 422 | 444;

interface Traits {
  readonly chroma: Chroma;
  /** Bits of a sample. */
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

/** The traits of a pixel format that x264 or x265 encodes as it is. undefined for others. */
function traitsOf(pixelFormat: string): Traits | undefined {
  const [, yuv, kind, depth = '8'] = /^(?:yuvj?(420|422|444)p|(gray|gbrp))(10|12)?(?:le)?$/.exec(pixelFormat) ?? [];
  if (yuv === undefined && kind === undefined) return SEMI_PLANAR[pixelFormat];
  const chroma = kind === 'gray' ? 400 : kind === 'gbrp' ? 444 : (Number(yuv) as Chroma);
  return { chroma, depth: Number(depth) };
}

const X264: Readonly<Record<string, Traits>> = {
  baseline: { chroma: 420, depth: 8 },
  main: { chroma: 420, depth: 8 },
  high: { chroma: 420, depth: 8 },
  high10: { chroma: 420, depth: 10 },
  high422: { chroma: 422, depth: 10 },
  high444: { chroma: 444, depth: 10 },
};

/** The most that a profile of x265 allows. undefined for a profile that is not known. */
function x265Profile(profile: string): Traits | undefined {
  if (/^(?:main|main-intra|mainstillpicture|msp)$/.test(profile)) return { chroma: 420, depth: 8 };
  const [, chroma = '420', depth] = /^main(422|444)?-?(8|10|12|16)?(?:-intra|-stillpicture)?$/.exec(profile) ?? [];
  if (depth === undefined) return /^main444-/.test(profile) ? { chroma: 444, depth: 8 } : undefined;
  return { chroma: Number(chroma) as Chroma, depth: Number(depth) };
}

const x264For = ({ chroma, depth }: Traits): string =>
  chroma === 444 ? 'high444' : chroma === 422 ? 'high422' : depth > 8 ? 'high10' : 'high';

/** x265 has gray only in the profiles for 4:4:4. */
const x265For = ({ chroma, depth }: Traits): string =>
  chroma === 420
    ? depth > 8
      ? `main${depth}`
      : 'main'
    : chroma === 422
      ? `main422-${Math.max(10, depth)}`
      : `main444-${depth}`;

/** The pixel format with these traits that x264 and x265 encode as it is. */
const planarFormat = ({ chroma, depth }: Traits): string => `yuv${chroma}p${depth > 8 ? `${depth}le` : ''}`;

/**
 * The pixel format that a profile is for, if pictures of `pixelFormat` get a lower profile than the requested one: x264
 * and x265 write the lowest that holds the pictures. undefined if they get the requested profile, or if that is not known.
 */
export function formatOfProfile(encoder: string, profile: string, pixelFormat: string): string | undefined {
  const isX265 = encoder === 'libx265';
  const name = profile.toLowerCase();
  // Lossless H.264 has the profile high444 with any pixel format.
  const meant = isX265 ? x265Profile(name) : encoder === 'libx264' && name !== 'high444' ? X264[name] : undefined;
  const picture = traitsOf(pixelFormat);
  if (meant === undefined || picture === undefined || picture.chroma === 400) return undefined;
  const isDeepEnough = picture.depth >= meant.depth || (picture.chroma === 422 && picture.depth === 8);
  if (isDeepEnough && picture.chroma >= meant.chroma) return undefined;
  return meant.depth > 12 ? undefined : planarFormat(meant);
}

/** What a profile does not allow, and what to send instead. */
interface ProfileConflict {
  /** The most that the profile allows: `4:2:0 with 8 bits`. */
  readonly most: string;
  /** The profile that allows the pixel format. */
  readonly profile: string;
  /** The nearest pixel format that the profile allows. */
  readonly pixelFormat: string;
}

const isGrayAllowed = (encoder: string, profile: string, { chroma }: Traits): boolean =>
  encoder === 'libx265' ? chroma === 444 : !/^(?:baseline|main)$/.test(profile);

/** Says why a profile of an encoder does not allow a pixel format. undefined if it does, or if that is not known. */
export function profileConflict(encoder: string, profile: string, pixelFormat: string): ProfileConflict | undefined {
  const isX265 = encoder === 'libx265';
  if (!isX265 && encoder !== 'libx264' && encoder !== 'libx264rgb') return undefined;
  const name = profile.toLowerCase();
  const allowed = isX265 ? x265Profile(name) : X264[name];
  const picture = traitsOf(pixelFormat);
  // ffmpeg replaces a depth of 12 for x264 by one of 10.
  if (allowed === undefined || picture === undefined || (!isX265 && picture.depth > 10)) return undefined;
  const isGray = picture.chroma === 400;
  const fits = isGray ? isGrayAllowed(encoder, name, allowed) : picture.chroma <= allowed.chroma;
  if (fits && picture.depth <= allowed.depth) return undefined;
  const depth = Math.min(picture.depth, allowed.depth);
  const chroma = isGray ? 420 : picture.chroma < allowed.chroma ? picture.chroma : allowed.chroma;
  return {
    most: `${String(allowed.chroma).split('').join(':')} with ${allowed.depth} bits`,
    profile: isX265 ? x265For(picture) : x264For(picture),
    pixelFormat: planarFormat({ chroma, depth }),
  };
}

/** The chroma and the bits that the profiles of VP9 hold, by their number, each with its usual pixel format. */
const VP9_PROFILES: readonly NumberedProfile[] = [
  { holds: ({ chroma, depth }) => chroma === 420 && depth === 8, format: 'yuv420p' },
  { holds: ({ chroma, depth }) => chroma > 420 && depth === 8, format: 'yuv444p' },
  { holds: ({ chroma, depth }) => chroma === 420 && depth > 8, format: 'yuv420p10le' },
  { holds: ({ chroma, depth }) => chroma > 420 && depth > 8, format: 'yuv444p10le' },
];
/** The same for the profiles of AV1: main, high and professional. */
const AV1_PROFILES: readonly NumberedProfile[] = [
  { holds: ({ chroma, depth }) => chroma <= 420 && depth <= 10, format: 'yuv420p' },
  { holds: ({ chroma, depth }) => chroma === 444 && depth <= 10, format: 'yuv444p' },
  { holds: ({ chroma, depth }) => chroma === 422 || depth === 12, format: 'yuv422p10le' },
];
const AV1_NAMES: readonly string[] = ['main', 'high', 'professional'];

interface NumberedProfile {
  readonly holds: (picture: Traits) => boolean;
  readonly format: string;
}

const NUMBERED: Readonly<Record<string, readonly NumberedProfile[]>> = {
  'libvpx-vp9': VP9_PROFILES,
  'libaom-av1': AV1_PROFILES,
  libsvtav1: AV1_PROFILES,
};

/** What a profile of VP9 or AV1 needs. */
interface NumberedConflict {
  /** The usual pixel format of the profile. */
  readonly pixelFormat: string;
  /** The profile that holds the pixel format. */
  readonly profile: string;
}

/**
 * Says that a profile of VP9 or AV1 does not hold a pixel format: their encoders fail then. undefined if it does, or if that
 * is not known.
 */
export function numberedConflict(encoder: string, profile: string, pixelFormat: string): NumberedConflict | undefined {
  const all = NUMBERED[encoder];
  const picture = traitsOf(pixelFormat);
  const name = profile.toLowerCase();
  const asked = all?.[AV1_NAMES.includes(name) && all === AV1_PROFILES ? AV1_NAMES.indexOf(name) : Number(name)];
  if (all === undefined || picture === undefined || asked === undefined || asked.holds(picture)) return undefined;
  const fitting = all.findIndex(({ holds }) => holds(picture));
  return fitting < 0 ? undefined : { pixelFormat: asked.format, profile: String(fitting) };
}
