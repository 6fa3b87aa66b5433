import { availableParallelism } from 'node:os';
import { readInteger, readSize, type SettingReader } from './setting.ts';

const UNITS = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 } as const;

const span: SettingReader<number> = (text) => {
  const [, digits, unit = ''] = /^(\d{1,9})\s*([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(digits) * UNITS[unit as keyof typeof UNITS];
  if (!(seconds >= 1)) throw new Error('must be a time such as 90, 15m or 48h');
  return seconds;
};

const bytes: SettingReader<number> = (text) => {
  const count = readSize(text);
  if (!Number.isSafeInteger(count) || count === 0) throw new Error('must be a size such as 500M or 2G');
  return count;
};

const pixels: SettingReader<number> = (text) => {
  const [, width, height = '1'] = /^(\d{1,10})(?:x(\d{1,5}))?$/.exec(text) ?? [];
  const count = Number(width) * Number(height);
  if (!(count >= 1)) throw new Error('must be a number of pixels or a size such as 7680x4320');
  return count;
};

/** Less, and ffmpeg does not even start. */
const LEAST_MEMORY = 2 ** 28;

const memory: SettingReader<number> = (text) => {
  const count = bytes(text);
  if (count < LEAST_MEMORY) throw new Error('must be 256M or more');
  return count;
};

/** By the key that an operator writes, how its value is read; what each means is told by `Policy` in the domain. */
const READERS = {
  input: bytes,
  output: bytes,
  scratch: bytes,
  // No more can be published.
  files: readInteger(1, 10_000),
  duration: span,
  pixels,
  // Of more than 1,000 streams ffmpeg's report is not read.
  streams: readInteger(1, 1000),
  threads: readInteger(1, 1024),
  processes: readInteger(32, 65_536),
  memory,
  cpu: span,
  time: span,
} as const satisfies Readonly<Record<string, SettingReader<number>>>;

type Key = keyof typeof READERS;

/** null: there is no limit; undefined: as it is for all clients. */
export type ParsedClientLimits = { readonly [K in Key]?: number | null | undefined };

/** Those that do not go by the machine. 2^27 pixels, since ffmpeg itself takes pictures up to twice that. */
const FIXED = 'input=256G,output=256G,scratch=512G,files=10000,duration=48h,pixels=16384x8192,streams=256,threads=64';

/**
 * What a client has where nothing was set. SVT-AV1 takes 2.3 GiB of address space for 1080p; each thread asks for 8 MiB
 * of stack, and threads grow with the cores.
 */
export const defaultClientLimits = (cores = availableParallelism()): string =>
  `${FIXED},processes=${512 + 64 * cores},memory=${4096 + 256 * cores}M`;

/** The same for the manual, of any machine. */
export const DEFAULT_CLIENT_LIMITS = `${FIXED},processes=512 + 64 a core,memory=4G + 256M a core`;

/** How they are written. */
export const CLIENT_LIMITS_FORM = `a list such as \`duration=2h,pixels=7680x4320,memory=8G\`, of the keys ${Object.keys(READERS).join(', ')}; \`none\` lifts a limit`;

/** Reads `key=value` each; `none` lifts a limit, `default` gives back that of all clients. Throws with what is allowed. */
export function readClientLimits(parts: readonly string[]): ParsedClientLimits {
  const limits: { [K in Key]?: number | null | undefined } = {};
  for (const part of parts) {
    const [, key = '', text = ''] = /^\s*([a-z]+)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
    if (!isKey(key)) throw new Error(`must be ${CLIENT_LIMITS_FORM.replaceAll('`', '')}`);
    if (text === 'none') limits[key] = null;
    else if (text === 'default') limits[key] = undefined;
    else limits[key] = readOne(key, text);
  }
  return limits;
}

const isKey = (key: string): key is Key => Object.hasOwn(READERS, key);

function readOne(key: Key, text: string): number {
  try {
    return READERS[key](text);
  } catch (error) {
    throw new Error(`${key} ${error instanceof Error ? error.message : ''}`);
  }
}

/** The limits of all clients; a key that is left out keeps its default. */
export const readClientLimitsSetting: SettingReader<ParsedClientLimits> = (text) => {
  const given = readClientLimits(text.split(',').filter((part) => part.trim() !== ''));
  const set = Object.entries(given).filter(([, most]) => most !== undefined);
  return { ...readClientLimits(defaultClientLimits().split(',')), ...Object.fromEntries(set) };
};
